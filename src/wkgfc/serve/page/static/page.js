/* The page: asking, watching the steps, showing which evidence a footnote means, keeping a correction.

   What a source or a person wrote is only ever set as text, or comes from the server's own templates. */
(() => {
  "use strict";

  const FOLLOW_MS = 1500;  // between two looks at a text whose claims are being checked
  const AGAIN_MS = 3000;  // until a stream that was refused is asked for again
  const MOST_TRIES = 20;
  const root = document.documentElement.dataset.root || "";
  const byId = (id) => document.getElementById(id);
  const tell = (text) => { byId("told").textContent = text; };

  /** Send JSON; what comes back, or an Error whose message says what to do. */
  async function send(method, path, body) {
    let answer;
    try {
      answer = await fetch(root + path, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "same-origin",
      });
    } catch {
      throw new Error("The service does not answer. Is it still running?");
    }
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) return said;
    const reason = said.error?.message ?? said.message ?? `The service answered ${answer.status}.`;
    const again = answer.headers.get("Retry-After");
    throw new Error(again ? `${reason} (try again in ${again} s)` : String(reason));
  }

  function refuse(place, error) {
    place.textContent = error ? error.message : "";
    place.hidden = !error;
  }

  // -- asking ---------------------------------------------------------------------------------------------------

  function ask(form) {
    const said = form.elements.said;
    const isText = () => form.elements.kind.value === "text";
    const refused = byId("refused");

    const choose = () => {
      byId("speaker").hidden = isText();
      said.rows = isText() ? 10 : 3;
    };
    form.addEventListener("change", (event) => { if (event.target.name === "kind") choose(); });
    choose();

    said.addEventListener("paste", () => setTimeout(() => {
      // A paste of several paragraphs, or of more than a claim may have, is a text.
      const text = said.value.trim();
      if (/\n\s*\S/.test(text) || text.length > Number(said.dataset.mostClaim)) {
        form.elements.kind.value = "text";
        choose();
      }
    }));
    said.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
      if (event.ctrlKey || event.metaKey || !isText()) {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const button = form.querySelector("button[type=submit]");
      const date = form.elements.date.value || null;
      const speaker = form.elements.speaker.value.trim() || null;
      refuse(refused, null);
      button.disabled = true;
      try {
        const made = isText()
          ? await send("POST", "/v1/texts", { text: said.value, ...(date && { date }) })
          : await send("POST", "/v1/checks", { claim: said.value, ...(date && { date }), ...(speaker && { speaker }) });
        location.assign(`${root}/${isText() ? "texts" : "checks"}/${encodeURIComponent(made.id)}`);
      } catch (error) {
        refuse(refused, error);
        button.disabled = false;
        said.focus();
      }
    });
    // Back from the check: the browser may show the form as it was left.
    addEventListener("pageshow", () => { form.querySelector("button[type=submit]").disabled = false; choose(); });
  }

  // -- watching -------------------------------------------------------------------------------------------------

  const NAMES = {
    initKGRetrieval: "Look in the knowledge graph", expandKG: "Look further in the knowledge graph",
    webSearch: "Search", verdict: "Conclude",
  };
  const titleOf = (action) => (action.query ? `${NAMES[action.name]} for “${action.query}”` : NAMES[action.name] || action.name);

  function watch(article) {
    const check = article.dataset.check;
    const steps = article.querySelector("[data-live=steps]");
    const cancel = article.querySelector("[data-live=cancel]");
    let seen = Number(steps.dataset.seq);
    let isOver = false;
    let source = null;
    let tries = 0;
    const shows = [];

    const add = (template, number, fill) => {
      const item = byId(template).content.firstElementChild.cloneNode(true);
      item.dataset.number = number;
      item.classList.add("new");
      fill(item);
      const before = [...steps.children].find((each) => Number(each.dataset.number) === number);
      if (before) before.replaceWith(item); else steps.append(item);
    };
    const put = (item, name, text) => {
      const place = item.querySelector(name);
      if (text) place.textContent = text; else place.remove();
    };
    const state = (title, words, isStalled = false) => {
      article.classList.toggle("stalled", isStalled);
      article.querySelector("[data-live=state]").textContent = title;
      article.querySelector("[data-live=words]").textContent = words;
    };
    // The stream begins with what has been: an event that is on the page already is not shown again.
    const on = (kind, show) => shows.push([kind, (event) => {
      const number = Number(event.lastEventId);
      if (number <= seen && kind !== "result" && kind !== "failed" && kind !== "cancelled") return;
      seen = Math.max(seen, number);
      show(event.data ? JSON.parse(event.data) : {});
    }]);

    on("queued", () => {
      steps.replaceChildren();
      state("Waiting", "Others are checked first. This begins by itself.");
    });
    on("started", () => state("Checking", "Each step is shown as it is taken."));
    on("step_started", (data) => add("step-doing", data.number, (item) => {
      put(item, "b", titleOf(data.action));
      put(item, ".step-why", data.reason && `Why: ${data.reason}`);
    }));
    on("step", (data) => {
      const { outcome, text } = data.observation;
      add(`step-${outcome}`, data.number, (item) => {
        put(item, "b", titleOf(data.action));
        put(item, ".step-time", `${data.seconds.toFixed(2)} s`);
        put(item, ".step-found", `${{ found: "", nothing: "Nothing: ", failed: "Failed: " }[outcome]}${text}`);
        put(item, ".step-why", data.reason && `Why: ${data.reason}`);
      });
    });
    const end = async () => {
      if (isOver) return;
      isOver = true;
      source.close();
      await finish(article);
    };
    for (const kind of ["result", "failed", "cancelled"]) on(kind, end);
    const connect = () => {
      if (isOver || (source && source.readyState !== EventSource.CLOSED)) return;
      source = new EventSource(`${root}/v1/checks/${encodeURIComponent(check)}/events?after=${seen}`);
      for (const [kind, heard] of shows) source.addEventListener(kind, heard);
      source.addEventListener("open", () => {
        if (tries) state("Checking", "Each step is shown as it is taken.");
        tries = 0;
      });
      source.addEventListener("error", () => {
        if (isOver) return;
        tries += 1;
        if (tries > MOST_TRIES) {
          source.close();
          state("The service does not answer", "Load this page again to go on.", true);
        } else {
          state("Checking", "The connection was lost. It is tried again.", true);
          if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MS);  // it was refused, for now
        }
      });
    };
    // A browser has six connections to a service: windows that nobody looks at must not keep them from the others.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") connect();
      else source.close();
    });
    addEventListener("pagehide", () => source.close());
    addEventListener("pageshow", connect);
    connect();

    cancel.hidden = false;
    cancel.addEventListener("click", async () => {
      cancel.disabled = true;
      try {
        await send("DELETE", `/v1/checks/${encodeURIComponent(check)}`);
      } catch (error) {
        tell(error.message);
        cancel.disabled = false;
      }
    });
  }

  /** Put the finished check, as the server renders it, in the place of the running one. */
  async function finish(article) {
    let page;
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, credentials: "same-origin" });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      location.reload();
      return;
    }
    const done = page.querySelector("article.check");
    if (!done || done.dataset.state === "running" || done.dataset.state === "queued") {
      location.reload();
      return;
    }
    const hadFocus = article.contains(document.activeElement);
    article.replaceWith(document.adoptNode(done));
    document.title = page.title;
    if (hadFocus) byId("main").focus();
    tell(done.dataset.said || "");
    show(done);
  }

  /** A text whose claims are being checked: what is new of it, until all of it is. */
  function follow(article) {
    setTimeout(async () => {
      let next = article;
      if (document.visibilityState === "visible") {
        const page = await fetch(location.pathname, { credentials: "same-origin" })
          .then((answer) => answer.text()).then((text) => new DOMParser().parseFromString(text, "text/html")).catch(() => null);
        const fresh = page?.querySelector("article.whole-text");
        if (fresh && fresh.innerHTML !== article.innerHTML) {
          // What is open and where the focus is stays, unless something changed.
          const isOpen = article.querySelector("details")?.open;
          const focused = document.activeElement?.getAttribute?.("href");
          next = document.adoptNode(fresh);
          article.replaceWith(next);
          if (isOpen) next.querySelector("details")?.setAttribute("open", "");
          if (focused) [...next.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus({ preventScroll: true });
          if (!("open" in next.dataset)) tell(next.dataset.said);
        }
      }
      if ("open" in next.dataset) follow(next);
    }, FOLLOW_MS);
  }

  // -- footnotes ------------------------------------------------------------------------------------------------

  /** Light up a piece of evidence in the list, in the footnotes and in the drawing; none with null. */
  function light(id) {
    for (const each of document.querySelectorAll(".lit")) each.classList.remove("lit");
    if (id) {
      byId(`e-${id}`)?.classList.add("lit");
      for (const each of document.querySelectorAll("a.cite")) if (each.dataset.cites === id) each.classList.add("lit");
    }
    document.dispatchEvent(new CustomEvent("wkgfc:light", { detail: id }));
  }

  /** Go to a piece of evidence, opening the list that it is in. */
  function open(id) {
    const place = byId(`e-${id}`);
    if (!place) return false;
    place.closest("details")?.setAttribute("open", "");
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
    light(id);
    return true;
  }

  function footnotes() {
    const cites = (event) => event.target.closest?.("a.cite")?.dataset.cites;
    const piece = (event) => event.target.closest?.("li[data-piece]")?.dataset.piece;
    document.addEventListener("pointerover", (event) => { const id = cites(event) ?? piece(event); if (id) light(id); });
    document.addEventListener("pointerout", (event) => { if (cites(event) || piece(event)) light(null); });
    document.addEventListener("focusin", (event) => { const id = cites(event) ?? piece(event); if (id) light(id); });
    document.addEventListener("focusout", (event) => { if (cites(event) || piece(event)) light(null); });
    document.addEventListener("click", (event) => {
      const id = cites(event);
      if (!id || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (open(id)) {
        event.preventDefault();
        history.replaceState(null, "", `#e-${encodeURIComponent(id)}`);
      }
    });
  }

  // -- a correction ---------------------------------------------------------------------------------------------

  function correct(form) {
    const refused = form.querySelector(".refused");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const values = {};
      for (const [name, value] of new FormData(form)) if (value.trim()) values[name] = value.trim();
      const button = form.querySelector("button");
      refuse(refused, null);
      if (!values.veracity && !values.evidence) {
        refuse(refused, new Error("Choose the right verdict, or the evidence that is cited wrongly."));
        return;
      }
      button.disabled = true;
      try {
        await send("POST", `/v1/checks/${encodeURIComponent(form.dataset.check)}/corrections`, values);
        const answer = await fetch(location.pathname, { credentials: "same-origin" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const section = document.adoptNode(page.querySelector("section.correction"));
        form.closest("section.correction").replaceWith(section);
        correct(section.querySelector("form"));
        tell("The correction is kept.");
        section.querySelector("button").focus();
      } catch (error) {
        refuse(refused, error);
        button.disabled = false;
      }
    });
  }

  // -- to begin -------------------------------------------------------------------------------------------------

  function show(article) {
    if (article.dataset.state === "queued" || article.dataset.state === "running") watch(article);
    const form = byId("correction");
    if (form) correct(form);
    document.dispatchEvent(new CustomEvent("wkgfc:shown"));
  }

  addEventListener("DOMContentLoaded", () => {
    footnotes();
    const form = byId("ask");
    if (form) ask(form);
    const article = document.querySelector("article.check");
    if (article) show(article);
    const text = document.querySelector("article.whole-text[data-open]");
    if (text) follow(text);
    if (location.hash.startsWith("#e-")) {
      const place = byId(decodeURIComponent(location.hash.slice(1)));
      place?.closest("details")?.setAttribute("open", "");
      place?.scrollIntoView({ block: "center" });
    }
  });
})();
