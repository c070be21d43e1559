/* The evidence graph: drawn by cytoscape.js from what the service sends, in the colours of the page. */
(() => {
  "use strict";

  const FEW = 16;  // lines that are all labelled; of more, those that are cited
  const MANY = 60;  // nodes that are all labelled; of more, those that the claim names or that are cited
  const SHOWN = 44;  // characters of a label; the rest is shown where it is chosen
  const LIBRARY = document.currentScript.dataset.library;
  let drawn = null;
  let loading = null;

  const shown = new Promise((done) => {
    if (document.readyState === "complete") done();
    else addEventListener("load", () => done(), { once: true });
  });

  async function library() {
    await shown;  // so that the page itself is there sooner
    loading ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = LIBRARY;
      script.onload = done;
      script.onerror = () => failed(new Error("the drawing could not be loaded"));
      document.head.append(script);
    });
    return loading;
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  function style() {
    const ink = colour("ink"), card = colour("card"), soft = colour("soft"), link = colour("link");
    const font = getComputedStyle(document.body).fontFamily;
    return [
      { selector: "node", style: {
        label: "data(short)", "font-family": font, "font-size": 11, color: ink, "text-wrap": "wrap", "text-max-width": 120,
        "text-valign": "bottom", "text-margin-y": 5, "text-background-color": card, "text-background-opacity": 0.85,
        "text-background-padding": 1, width: 13, height: 13, "border-width": 2, "background-color": card,
        "border-color": colour("entity"), "overlay-opacity": 0 } },
      { selector: "node[kind = 'topic']", style: {
        width: 22, height: 22, "background-color": colour("entity"), "border-width": 2, "border-color": card,
        "outline-width": 2, "outline-color": colour("entity"), "font-weight": 600, "font-size": 12.5, "z-index": 5 } },
      { selector: "node[kind = 'entity'][hop = 1]", style: { "background-color": colour("entity"), "background-opacity": 0.45 } },
      { selector: "node[kind = 'value']", style: { shape: "round-rectangle", width: 11, height: 11, "border-color": colour("value") } },
      { selector: "node[kind = 'passage']", style: {
        shape: "rectangle", width: 13, height: 17, "background-color": colour("passage"), "border-width": 0, "text-max-width": 112 } },
      { selector: "node[?used]", style: { "font-weight": 600 } },
      { selector: "edge", style: {
        width: 1.5, "line-color": colour("kg"), "curve-style": "bezier", "target-arrow-shape": "triangle",
        "target-arrow-color": colour("kg"), "arrow-scale": 0.75, label: "", "font-family": font, "font-size": 10, color: soft,
        "text-rotation": "autorotate", "text-background-color": card, "text-background-opacity": 0.9, "text-background-padding": 2,
        "min-zoomed-font-size": 6, "overlay-opacity": 0 } },
      { selector: "edge[kind = 'web']", style: { "line-style": "dashed", "line-color": colour("web"), "target-arrow-color": colour("web") } },
      { selector: "edge[kind = 'annotation']", style: {
        "line-style": "dotted", width: 1, "line-color": colour("passage"), "target-arrow-color": colour("passage") } },
      { selector: "edge[?used]", style: { width: 3, label: "data(short)", color: ink } },
      { selector: "edge[?against]", style: { "line-color": colour("refuted"), "target-arrow-color": colour("refuted"), color: colour("refuted") } },
      { selector: "edge[kind = 'contradiction']", style: {
        width: 3, "curve-style": "unbundled-bezier", "control-point-distances": 40, "control-point-weights": 0.5,
        "source-arrow-shape": "tee", "target-arrow-shape": "tee", "source-arrow-color": colour("refuted"),
        label: "data(short)" } },
      { selector: ".few", style: { label: "data(short)" } },
      { selector: ".quiet", style: { label: "", width: 8, height: 8, "border-width": 1.5 } },
      { selector: ".thin", style: { width: 1, "arrow-scale": 0.5 } },
      { selector: ".dim", style: { opacity: 0.22 } },
      { selector: ".lit", style: { "z-index": 9, label: "data(long)" } },
      { selector: "edge.lit", style: { width: 4, "line-color": link, "target-arrow-color": link, "source-arrow-color": link, color: ink } },
      { selector: "edge.lit[?against]", style: {
        width: 5, "line-color": colour("refuted"), "target-arrow-color": colour("refuted"), "source-arrow-color": colour("refuted") } },
      { selector: "node.lit", style: { "border-color": link, "border-width": 3, "border-opacity": 1 } },
    ];
  }

  async function draw(figure) {
    const [answer] = await Promise.all([fetch(figure.dataset.graph, { credentials: "same-origin" }), library()]);
    if (!answer.ok) throw new Error("the graph is not there");
    const graph = await answer.json();
    for (const { data } of [...graph.nodes, ...graph.edges]) data.short = data.long = cutTo(data.label, SHOWN);
    const canvas = figure.querySelector(".canvas");
    const begun = performance.now();
    const cy = cytoscape({
      container: canvas,
      elements: { nodes: graph.nodes, edges: graph.edges },
      style: style(),
      minZoom: 0.15, maxZoom: 4, boxSelectionEnabled: false,
      layout: { name: "preset" },
    });
    // On a phone a finger that strokes the drawing moves the page; two fingers move the drawing.
    if (matchMedia("(pointer: coarse)").matches) { cy.userPanningEnabled(false); cy.autoungrabify(true); }
    if (graph.edges.length <= FEW) cy.edges("[kind != 'annotation']").addClass("few");
    if (graph.nodes.length > MANY) {
      cy.nodes("[kind != 'topic'][!used]").addClass("quiet");
      cy.edges("[!used][!against]").addClass("thin");
    }
    sameEveryTime(() => place(cy));
    figure.dataset.drawnMs = String(Math.round(performance.now()));  // since the page was asked for
    figure.dataset.layoutMs = String(Math.round(performance.now() - begun));
    drawn = { cy, figure };
    react(cy, figure, graph);
  }

  /** Do something that throws dice with the same throws each time: a reader who comes back finds the drawing as it was. */
  function sameEveryTime(act) {
    const dice = Math.random;
    let state = 7;
    // Park and Miller's generator, "Random number generators: good ones are hard to find", 1988.
    Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    try { act(); } finally { Math.random = dice; }
  }

  /** Nodes to their places: the same every time, spread over the canvas so that labels are read without zooming. */
  function place(cy) {
    const joined = cy.nodes().filter((node) => node.degree(false) > 0);
    const alone = cy.nodes().difference(joined);
    const many = joined.length > MANY;
    // From rings by hop, topic entities inside, to springs.
    joined.layout({ name: "concentric", animate: false, fit: false, concentric: (node) => 100 - node.data("hop"), levelWidth: () => 1, minNodeSpacing: 20 }).run();
    joined.union(joined.edgesWith(joined)).layout({
      name: "cose", animate: false, randomize: false, fit: false, nodeDimensionsIncludeLabels: !many, componentSpacing: 40,
      idealEdgeLength: () => (many ? 40 : 80), nodeRepulsion: () => (many ? 6000 : 20000), gravity: 1.2, numIter: many ? 200 : 700,
    }).run();
    const wide = cy.width(), high = cy.height(), side = Math.min(80, wide * 0.15);
    const below = alone.empty() ? 0 : 64 * Math.ceil(alone.length / Math.max(1, Math.floor(wide / 130)));
    spread(joined, { left: side, right: wide - side, top: 34, bottom: high - 46 - below });
    const row = Math.max(1, Math.floor(wide / 130));
    alone.forEach((node, number) => {
      const inRow = Math.min(row, alone.length - row * Math.floor(number / row));
      node.position({ x: (wide * (number % row + 0.5)) / inRow, y: high - below + 64 * Math.floor(number / row) + 14 });
    });
    fit(cy);
    // A label that is longer than its line would lie on its neighbours.
    for (const edge of cy.edges()) {
      const from = edge.source().position(), to = edge.target().position();
      const room = Math.floor((Math.hypot(to.x - from.x, to.y - from.y) - 30) / 5.5);
      edge.data("short", room < 6 ? "" : cutTo(edge.data("label"), Math.min(room, SHOWN)));
    }
  }

  const cutTo = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  /** Stretch places to a box, a little more one way than the other where that fills it better. */
  function spread(nodes, box) {
    if (nodes.empty()) return;
    const xs = nodes.map((node) => node.position("x")), ys = nodes.map((node) => node.position("y"));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    let wide = (box.right - box.left) / Math.max(right - left, 1), high = (box.bottom - box.top) / Math.max(bottom - top, 1);
    wide = Math.min(wide, 1.8 * high);
    high = Math.min(high, 1.8 * wide);
    wide = Math.min(wide, 1.8 * high);
    const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    nodes.positions((node) => ({
      x: middle[0] + (node.position("x") - (left + right) / 2) * wide,
      y: middle[1] + (node.position("y") - (top + bottom) / 2) * high,
    }));
  }

  function fit(cy) {
    cy.fit(undefined, 14);
    if (cy.zoom() > 1.15) { cy.zoom(1.15); cy.center(); }
  }

  function react(cy, figure, graph) {
    const picked = figure.querySelector(".picked");
    const hint = picked.firstElementChild;
    cy.on("tap", "edge", (event) => pick(cy, event.target, () => [...event.target.data("evidence").map(cardOf)]));
    cy.on("tap", "node", (event) => pick(cy, event.target, () => nodeCard(event.target.data())));
    cy.on("tap", (event) => { if (event.target === cy) { clear(cy); picked.replaceChildren(hint); } });
    cy.on("mouseover", "node, edge", () => { figure.querySelector(".canvas").classList.add("over"); });
    const pick = (all, element, cards) => {
      clear(all);
      element.addClass("lit");
      picked.replaceChildren(...cards().filter(Boolean));
    };

    const zoom = figure.querySelector(".zoom");
    zoom.hidden = false;
    zoom.addEventListener("click", (event) => {
      const how = event.target.dataset.zoom;
      const middle = { x: cy.width() / 2, y: cy.height() / 2 };
      if (how === "fit") fit(cy);
      else if (how) cy.zoom({ level: cy.zoom() * (how === "in" ? 1.35 : 1 / 1.35), renderedPosition: middle });
    });
    // The wheel moves the page, and with Ctrl the drawing.
    figure.querySelector(".canvas").parentElement.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    }, { capture: true, passive: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(style()));
  }

  const clear = (cy) => cy.elements().removeClass("lit dim");

  /** The card of a piece of evidence, as the list has it. */
  function cardOf(id) {
    const piece = document.getElementById(`e-${id}`);
    if (!piece) return null;
    const card = document.createElement("div");
    card.className = piece.className;
    card.classList.remove("lit");
    card.append(...[...piece.cloneNode(true).childNodes]);
    return card;
  }

  function nodeCard(node) {
    const title = document.createElement("h3");
    title.textContent = node.label;
    const parts = [title];
    if (node.kind === "passage") return node.evidence.slice(0, 1).map(cardOf);
    if (node.description) {
      const words = document.createElement("p");
      words.className = "hint";
      words.textContent = node.description;
      parts.push(words);
    }
    if (node.address && /^https?:\/\//.test(node.address)) {
      const line = document.createElement("p"), link = document.createElement("a");
      link.href = node.address;
      link.rel = "noopener noreferrer nofollow";
      link.target = "_blank";
      link.textContent = new URL(node.address).hostname;
      line.append(link);
      parts.push(line);
    }
    const list = document.createElement("ul");
    for (const id of node.evidence.slice(0, 30)) {
      const piece = document.getElementById(`e-${id}`);
      if (!piece) continue;
      const item = document.createElement("li"), cite = document.createElement("a");
      cite.className = "cite";
      cite.href = `#e-${encodeURIComponent(id)}`;
      cite.dataset.cites = id;
      cite.textContent = id;
      const said = piece.querySelector(".statement, mark, blockquote");
      item.append(cite, ` ${said ? said.textContent : ""}`);
      list.append(item);
    }
    parts.push(list);
    return parts;
  }

  document.addEventListener("wkgfc:light", (event) => {
    if (!drawn || !drawn.figure.isConnected) return;
    const { cy } = drawn;
    clear(cy);
    if (!event.detail) return;
    const meant = cy.elements().filter((each) => each.isEdge()
      ? each.data("evidence").includes(event.detail) && each.data("kind") !== "annotation"
      : each.data("kind") === "passage" && each.data("evidence").includes(event.detail));
    if (meant.empty()) return;
    const shown = meant.union(meant.connectedNodes()).union(meant.connectedEdges("[kind = 'annotation']"));
    cy.elements().not(shown).addClass("dim");
    meant.addClass("lit");
  });

  async function begin() {
    const figure = document.querySelector("figure.graph");
    if (!figure || (drawn && drawn.figure === figure)) return;
    try {
      await draw(figure);
    } catch (error) {
      figure.querySelector(".picked").textContent = `The drawing is not there (${error.message}). All of it is in the list of evidence.`;
    }
  }
  document.addEventListener("wkgfc:shown", begin);
})();
