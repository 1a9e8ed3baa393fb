// The module k6/metrics: sums of what was added.
export const metrics = {};

class Metric {
  constructor(name) {
    this.name = name;
    metrics[name] = 0;
  }

  add(value) {
    metrics[this.name] += Number(value);
  }
}

export { Metric as Counter, Metric as Rate };
