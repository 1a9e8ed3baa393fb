// The JSON editor. It is loaded on first use, and imports nothing from the page, so that its file stays the same
// when the page changes.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Editor {
  text(): string;
  replace(text: string): void;
  focus(): void;
  destroy(): void;
}

export interface Options {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--json-key)" },
  { tag: tags.string, color: "var(--json-string)" },
  { tag: tags.number, color: "var(--json-number)" },
  { tag: [tags.bool, tags.null], color: "var(--json-word)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "12px", border: "1px solid var(--line-strong)", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", maxHeight: "60vh" },
  ".cm-content, .cm-gutter": { minHeight: "160px" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--faint)", border: "none", borderRadius: "6px 0 0 6px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "light-dark(#b9e5df, #1f5a53)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
});

/**
 * open puts an editor into an element. It is in a shadow root: there its styles are adopted sheets, which a policy
 * without inline styles allows.
 */
export function open(host: HTMLElement, options: Options): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), indentUnit.of("  "), json(),
        syntaxHighlighting(colours), look, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "false" }),
        keymap.of([...defaultKeymap.filter((k) => k.key !== "Mod-Enter"), ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((u) => u.docChanged && options.onChange(u.state.doc.toString())),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    destroy: () => {
      view.destroy();
      root.replaceChildren();
    },
  };
}
