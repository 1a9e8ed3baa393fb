// The module k6/execution: one virtual user that makes one iteration after another.
const scenario = { iterationInTest: 0 };

export default { scenario };
