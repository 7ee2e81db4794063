"use strict";
(() => {
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const findings = [...document.querySelectorAll(".finding")];

  // Filters.
  const filters = document.getElementById("filters");
  const count = document.getElementById("count");
  const fields = ["rule", "evidence", "file"];
  const apply = () => {
    const wanted = fields.map((name) => filters.elements[name].value);
    const words = filters.elements.words.value.toLowerCase();
    let shown = 0;
    for (const finding of findings) {
      const fits = fields.every((name, index) =>
        !wanted[index] || finding.dataset[name].split("\n").includes(wanted[index]));
      finding.hidden = !(fits && (!words || finding.textContent.toLowerCase().includes(words)));
      if (!finding.hidden) shown += 1;
    }
    count.textContent = `${shown} of ${findings.length} shown`;
  };
  if (filters) {
    for (const name of fields) {
      const select = filters.elements[name];
      const values = new Set(findings.flatMap((finding) => finding.dataset[name].split("\n")));
      for (const value of [...values].filter(Boolean).sort()) select.append(make("option", { value }, value));
    }
    filters.addEventListener("input", apply);
    filters.addEventListener("submit", (event) => event.preventDefault());
    filters.hidden = false;
    apply();
  }

  // Timelines.
  const stories = JSON.parse(document.getElementById("stories").textContent);
  const timeline = (holder, story) => {
    const finding = holder.closest(".finding");
    const lanes = make("div", { class: "lanes" });
    const dots = [];
    const names = [];
    story.forEach((stop, index) => {
      while (names.length <= stop.attempt) {
        const track = make("div", { class: "track" });
        lanes.append(make("div", { class: "lane" }, make("span", { class: "label" }, stop.lane), track));
        names.push(track);
      }
      const dot = make("button", {
        type: "button", tabindex: "-1", title: stop.text, "aria-label": `${stop.lane}: ${stop.text}`,
        class: `dot ${stop.kind}${stop.differs ? " differs" : ""}`,
      });
      dot.addEventListener("click", () => show(index));
      names[stop.attempt].append(dot);
      dots.push(dot);
    });
    const scrub = make("input", {
      type: "range", class: "scrub", min: "0", max: String(story.length - 1), value: "0",
      "aria-label": "step of the power failure",
    });
    const moment = make("div", { class: "moment", "aria-live": "polite" });
    const show = (index) => {
      const stop = story[index];
      scrub.value = String(index);
      scrub.setAttribute("aria-valuetext", `${stop.lane}: ${stop.text}`);
      dots.forEach((dot, number) => {
        if (number === index) dot.setAttribute("aria-current", "step");
        else dot.removeAttribute("aria-current");
      });
      const dot = dots[index];
      if (dot.offsetLeft < lanes.scrollLeft + 120 || dot.offsetLeft > lanes.scrollLeft + lanes.clientWidth - 40) {
        lanes.scrollLeft = dot.offsetLeft - lanes.clientWidth / 2;
      }
      moment.replaceChildren(make("p", { class: "what" }, `${index + 1}/${story.length} · ${stop.lane}: ${stop.text}`));
      if (stop.source !== undefined) {
        moment.append(make("code", { class: "line" }, `${stop.file}:${stop.line}  ${stop.source.trim()}`));
      }
      if (stop.values.length) {
        const rows = stop.values.map((value) => make("tr", {},
          make("td", { class: "mono" }, value.object),
          make("td", { class: value.continuous === undefined ? "mono" : "mono differs" }, value.now),
          make("td", { class: "mono" }, value.continuous ?? "the same")));
        const head = make("tr", {}, ...["object", "now", stop.kind === "power-failure" || stop.kind === "restore" ? "at the checkpoint" : "continuous run"]
          .map((text) => make("th", { scope: "col" }, text)));
        moment.append(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
      }
      finding.querySelectorAll(".source li.now").forEach((line) => line.classList.remove("now"));
      const line = [...finding.querySelectorAll(".source")].find((source) => source.dataset.file === stop.file)
        ?.querySelector(`li[data-line="${stop.line}"]`);
      if (line) line.classList.add("now");
    };
    scrub.addEventListener("input", () => show(Number(scrub.value)));
    const legend = make("ul", { class: "legend" });
    for (const [kind, text] of [["checkpoint", "checkpoint, restore"], ["read", "read"], ["write", "write"],
      ["output", "output"], ["power-failure", "power fails"], ["departure", "leaves the path"], ["read differs", "differs from the continuous run"]]) {
      legend.append(make("li", {}, make("span", { class: `dot ${kind}`, "aria-hidden": "true" }), ` ${text}`));
    }
    holder.append(lanes, scrub, moment, legend);
    holder.hidden = false;
    const failure = story.findIndex((stop) => stop.kind === "power-failure");
    show(Math.max(failure, 0));
    const table = finding.querySelector("details.steps");
    if (table) table.open = false;
  };
  for (const holder of document.querySelectorAll(".timeline")) {
    const story = stories[holder.dataset.story];
    if (story) timeline(holder, story);
  }
})();
