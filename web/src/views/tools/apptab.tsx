// The view of a tool. Its code is loaded when it is needed.
import { useEffect, useState } from "preact/hooks";
import type { Call, Item, Link } from "../../api.gen";
import { showError } from "../../components/toasts";
import { isOver } from "./calls";

type Module = typeof import("../apps/panel");

export function AppTab(props: { link: Link; tool: Item; call: Call }) {
  const [module, setModule] = useState<Module | null>(null);
  useEffect(() => {
    import("../apps/panel").then(setModule, showError);
  }, []);
  if (!module || !isOver(props.call)) return <p class="muted" role="status">Loading …</p>;
  return <module.AppPanel {...props} />;
}
