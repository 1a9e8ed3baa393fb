// Search over the parts of all pages. The index is loaded when the field is used for the first time.
(() => {
  const root = document.currentScript.dataset.root;
  const field = document.getElementById("query");
  const list = document.getElementById("results");
  let loading = null;

  const load = () => loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = () => resolve(window.searchIndex.map(prepare));
    script.onerror = () => { loading = null; reject(new Error("cannot load the search index")); };
    document.head.append(script);
  });

  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);

  const prepare = (e) => ({ ...e, page: words(e.p), heading: words(e.h ?? ""), text: words(e.t) });

  // A whole word counts more than its beginning, a title more than a heading, and a heading more than text.
  const weigh = (all, word) => {
    let best = 0;
    for (const one of all) {
      if (one === word) return 3;
      if (one.startsWith(word)) best = Math.max(best, 2);
      else if (word.length > 2 && one.includes(word)) best = Math.max(best, 1);
    }
    return best;
  };

  const score = (e, query) => {
    let sum = 0;
    for (const word of query) {
      const one = 8 * weigh(e.page, word) * (e.h ? 0.5 : 1) + 5 * weigh(e.heading, word) + weigh(e.text, word);
      if (!one) return 0; // every word must be there
      sum += one;
    }
    return sum / (1 + Math.log10(1 + e.text.length) / 10);
  };

  const excerpt = (e, query) => {
    const at = Math.max(0, e.t.toLowerCase().indexOf(query[0]) - 40);
    return (at > 0 ? "…" : "") + e.t.slice(at, at + 140);
  };

  const show = (found, query) => {
    list.replaceChildren(...found.map((e) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const small = document.createElement("small");
      link.href = root + e.u;
      link.append(e.h ? `${e.p} › ${e.h}` : e.p);
      small.append(excerpt(e, query));
      link.append(small);
      item.append(link);
      return item;
    }));
    if (!found.length) {
      const item = document.createElement("li");
      item.className = "empty";
      item.append("No page has all of these words.");
      list.append(item);
    }
    list.hidden = false;
  };

  const search = async () => {
    const text = field.value;
    const query = words(text);
    if (!query.length) { list.hidden = true; return; }
    let index;
    try {
      index = await load();
    } catch (problem) {
      list.replaceChildren(problem.message);
      list.hidden = false;
      return;
    }
    if (field.value !== text) return; // a newer search is on its way
    const found = index.map((e) => [score(e, query), e]).filter(([s]) => s > 0);
    found.sort(([a], [b]) => b - a);
    show(found.slice(0, 12).map(([, e]) => e), query);
  };

  const choose = (step) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.findIndex((l) => l.classList.contains("chosen"));
    links[at]?.classList.remove("chosen");
    const next = links[(at + step + links.length) % links.length];
    next?.classList.add("chosen");
    next?.scrollIntoView({ block: "nearest" });
  };

  field.addEventListener("input", search);
  field.addEventListener("focus", () => { load().catch(() => {}); if (field.value) search(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { choose(1); event.preventDefault(); }
    if (event.key === "ArrowUp") { choose(-1); event.preventDefault(); }
    if (event.key === "Escape") { list.hidden = true; field.blur(); }
    if (event.key === "Enter") (list.querySelector("a.chosen") ?? list.querySelector("a"))?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) { field.focus(); event.preventDefault(); }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) list.hidden = true;
  });
})();
