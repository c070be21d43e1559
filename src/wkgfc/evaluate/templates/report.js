"use strict";
const AT_ONCE = 100;
const read = new Map();

async function claimsOf(key) {
  if (!read.has(key)) {
    const holder = document.querySelector(`script[data-run="${CSS.escape(key)}"]`);
    const bytes = Uint8Array.from(atob(holder.textContent.trim()), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    read.set(key, JSON.parse(await new Response(stream).text()));
  }
  return read.get(key);
}

function element(name, text, parent, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

function outcome(claim) {
  if (claim.said === null) return ["no verdict", "wrong"];
  if (claim.points === null) return ["not counted", "quiet"];
  return claim.points === 1 ? ["right", "right"] : claim.points === 0 ? ["wrong", "wrong"] : ["no lean", "quiet"];
}

function list(title, items, parent, fill, kind = "ul") {
  if (!items.length) return;
  element("p", title, parent);
  const holder = element(kind, null, parent);
  for (const item of items) fill(element("li", null, holder), item);
}

function inside(claim) {
  const box = element("div", null, null, "inside");
  list("Why", claim.why, box, (line, [text, citations]) => { line.textContent = `${text} [${citations.join(", ")}]`; });
  list("Steps", claim.steps, box, (line, step) => {
    line.textContent = `${step.action}${step.query ? ` “${step.query}”` : ""}: ${step.observation}`;
    element("div", `${step.id}, because ${step.reason}; ${step.evidence} pieces of evidence`, line, "quiet");
  }, "ol");
  list("Evidence", claim.evidence, box, (line, piece) => {
    const stance = piece.stance ? ` (for ${piece.stance[0]}, against ${piece.stance[1]})` : "";
    line.textContent = `${piece.id}${piece.cited ? ", cited" : ""}: ${piece.text}${stance} `;
    if (piece.url) {
      const link = element("a", piece.from, line);
      link.href = piece.url;
      link.rel = "noopener noreferrer";
    } else element("span", piece.from, line, "quiet");
  });
  if (claim.more) element("div", `and ${claim.more} pieces more`, box, "quiet");
  list("Flags", claim.flags, box, (line, flag) => { line.textContent = flag; });
  list("Errors", claim.errors, box, (line, error) => { line.textContent = error; });
  element("div", `${claim.id}; ended by ${claim.stop}; ${claim.seconds} s`, box, "quiet");
  return box;
}

function row(claim, parent) {
  const details = element("details", null, parent);
  const summary = element("summary", null, details);
  const [word, className] = outcome(claim);
  element("span", word, summary, className);
  const sure = claim.confidence === null ? "" : ` (${claim.confidence})`;
  summary.append(` ${claim.claim} `);
  element("span", `${claim.label} → ${claim.said ?? claim.stop}${sure}`, summary, "quiet");
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(inside(claim));
  });
}

function show(box, title, claims) {
  box.replaceChildren();
  element("h3", title, box);
  const choices = element("div", null, box, "choices");
  const rows = element("div", null, box);
  const kinds = ["all", ...new Set(claims.map((claim) => outcome(claim)[0]))];
  function pick(kind) {
    const chosen = claims.filter((claim) => kind === "all" || outcome(claim)[0] === kind);
    rows.replaceChildren();
    let shown = 0;
    const more = element("button", null, null);
    more.type = "button";
    function next() {
      for (const claim of chosen.slice(shown, shown + AT_ONCE)) row(claim, rows);
      shown = Math.min(shown + AT_ONCE, chosen.length);
      more.remove();
      if (shown < chosen.length) {
        more.textContent = `show more (${chosen.length - shown} left)`;
        rows.append(more);
      }
    }
    more.addEventListener("click", next);
    next();
    for (const choice of choices.children) choice.setAttribute("aria-expanded", String(choice.dataset.kind === kind));
  }
  for (const kind of kinds) {
    const count = claims.filter((claim) => kind === "all" || outcome(claim)[0] === kind).length;
    const choice = element("button", `${kind} (${count})`, choices);
    choice.type = "button";
    choice.dataset.kind = kind;
    choice.addEventListener("click", () => pick(kind));
  }
  pick("all");
  box.hidden = false;
}

for (const button of document.querySelectorAll("td button")) {
  button.addEventListener("click", async () => {
    const box = button.closest("section").querySelector(".claims");
    const wasOpen = button.getAttribute("aria-expanded") === "true";
    for (const other of button.closest("section").querySelectorAll("td button")) {
      other.setAttribute("aria-expanded", "false");
    }
    box.hidden = true;
    if (wasOpen) return;
    button.setAttribute("aria-expanded", "true");
    const holder = document.querySelector(`script[data-run="${CSS.escape(button.dataset.run)}"]`);
    let claims = await claimsOf(button.dataset.run);
    if (button.dataset.ids) {
      const wanted = new Set(JSON.parse(button.dataset.ids));
      claims = claims.filter((claim) => wanted.has(claim.id));
    }
    show(box, `${holder.dataset.title}; sees ${holder.dataset.sees}`, claims);
    box.scrollIntoView({ block: "nearest" });
  });
}
