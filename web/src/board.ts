// Board: a view goes in; its picture with cells that can be clicked, dragged and walked by keys comes out.

import { svg } from "./dom";
import type { Opened, View } from "./types";

const PAPER = "#ffffff";
const INK = "#3a342e";

export interface BoardEvents {
  /** A cell was clicked, or chosen by a key. */
  cell(cell: number): void;
  /** A man was drawn from one cell to another. */
  drop(from: number, to: number): void;
  cancel(): void;
}

export class Board {
  private opened: Opened | undefined;
  private radius = 20;
  private focused = 0;
  private drag: { from: number; ghost: SVGElement | null; x: number; y: number; moved: boolean } | undefined;
  private skipsClick = false;

  constructor(
    private readonly place: HTMLElement,
    private readonly events: BoardEvents,
  ) {
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("focusin", (event) => {
      const cell = this.cellOf(event.target);
      if (cell !== null) this.focused = cell;
    });
    place.addEventListener("pointerdown", (event) => this.down(event));
    place.addEventListener("pointermove", (event) => this.move(event));
    place.addEventListener("pointerup", (event) => this.up(event));
    place.addEventListener("pointercancel", () => this.endDrag());
    place.addEventListener("click", (event) => {
      const cell = this.cellOf(event.target);
      if (cell !== null && !this.skipsClick) this.events.cell(cell);
      this.skipsClick = false;
    });
  }

  open(opened: Opened): void {
    this.opened = opened;
    this.focused = 0;
    let least = Infinity;
    const { cells } = opened;
    for (let one = 0; one < cells.length; one++) {
      for (let other = 0; other < one; other++) {
        least = Math.min(least, Math.hypot(cells[one].x - cells[other].x, cells[one].y - cells[other].y));
      }
    }
    this.radius = Number.isFinite(least) ? least / 2 : 20;
  }

  /** Another game is coming: what is being dragged stays where it was. */
  wait(): void {
    this.endDrag();
    this.place.setAttribute("aria-busy", "true");
  }

  /** Shows nothing. */
  clear(): void {
    this.endDrag();
    this.opened = undefined;
    this.place.replaceChildren();
    this.place.removeAttribute("aria-busy");
    delete this.place.dataset.game;
    delete this.place.dataset.ply;
  }

  /** Shows a view; `hinted` are cells of a proposed move. */
  show(view: View, hinted: number[], disabled: boolean): void {
    this.endDrag();
    this.place.removeAttribute("aria-busy");
    if (!this.opened) return;
    this.place.dataset.game = this.opened.name;
    this.place.dataset.ply = String(view.played.length);
    if (!view.svg) {
      this.place.replaceChildren();
      return;
    }
    const hadFocus = this.place.contains(document.activeElement);
    const picture = new DOMParser().parseFromString(view.svg, "image/svg+xml").documentElement as unknown as SVGSVGElement;
    picture.querySelector("title")?.remove();
    picture.querySelector("desc")?.remove();
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-label", `Board of ${this.opened.name}`);
    for (const shape of picture.children) {
      if (shape.tagName !== "path") continue;
      if (shape.getAttribute("fill") === PAPER) shape.setAttribute("fill", "none");
      for (const paint of ["fill", "stroke"]) {
        if (shape.getAttribute(paint) === INK) shape.setAttribute(paint, "currentColor");
      }
    }
    picture.append(this.marks(view, hinted, disabled));
    this.place.replaceChildren(document.importNode(picture, true));
    this.place.style.setProperty("--ratio", this.ratio(picture));
    if (hadFocus) this.focus(this.focused);
  }

  private ratio(picture: SVGSVGElement): string {
    const [, , width, height] = (picture.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    return String(width / height);
  }

  private marks(view: View, hinted: number[], disabled: boolean): SVGElement {
    const { cells } = this.opened!;
    const group = svg("g", { class: "cells" });
    const options = new Map<number, boolean>();
    for (const option of view.options) {
      for (const cell of option.cells) options.set(cell, options.get(cell) || Boolean(option.captures));
    }
    const chosen = view.chosen.filter((cell, at) => view.chosen.indexOf(cell) === at);
    if (chosen.length > 1) {
      const points = view.chosen.map((cell) => `${cells[cell].x},${cells[cell].y}`).join(" ");
      group.append(svg("polyline", { class: "path", points }));
    }
    const isPicking = chosen.length > 0;
    cells.forEach(({ name, x, y }, cell) => {
      const classes = ["cell"];
      const words = [name, view.men[cell] || "empty"];
      if (!disabled && options.has(cell)) {
        classes.push("option");
        words.push(isPicking ? (options.get(cell) ? "target, captures" : "target") : "can be chosen");
        if (isPicking) {
          const kind = view.men[cell] ? "ring" : "dot";
          const radius = this.radius * (kind === "ring" ? 0.9 : 0.28);
          group.append(svg("circle", { class: `target ${kind}`, cx: x, cy: y, r: radius }));
        }
      }
      if (chosen.includes(cell)) {
        classes.push("chosen");
        words.push("chosen");
        group.append(svg("circle", { class: "picked", cx: x, cy: y, r: this.radius * 0.94 }));
      }
      if (hinted.includes(cell)) {
        words.push("proposed");
        group.append(svg("circle", { class: "hinted", cx: x, cy: y, r: this.radius * 0.94 }));
      }
      const hit = svg("circle", {
        class: classes.join(" "),
        cx: x,
        cy: y,
        r: this.radius * 0.98,
        role: "button",
        tabindex: cell === this.focused ? "0" : "-1",
        "data-cell": cell,
        "aria-label": words.join(", "),
        "aria-disabled": !options.has(cell) || disabled ? "true" : undefined,
      });
      group.append(hit);
    });
    return group;
  }

  private cellOf(target: EventTarget | null): number | null {
    const cell = target instanceof Element ? target.getAttribute("data-cell") : null;
    return cell === null ? null : Number(cell);
  }

  private hit(cell: number): SVGElement | null {
    return this.place.querySelector(`[data-cell="${cell}"]`);
  }

  focus(cell: number): void {
    this.hit(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = cell;
    const hit = this.hit(cell);
    hit?.setAttribute("tabindex", "0");
    hit?.focus();
  }

  private key(event: KeyboardEvent): void {
    const cell = this.cellOf(event.target);
    if (cell === null || !this.opened || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways: Record<string, [number, number]> = {
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    };
    if (event.key in ways) {
      const next = this.neighbour(cell, ways[event.key]);
      if (next !== null) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") this.events.cell(cell);
    else if (event.key === "Escape") this.events.cancel();
    else return;
    event.preventDefault();
  }

  /** The nearest cell in a direction; what lies aside counts as farther. */
  private neighbour(from: number, [dx, dy]: [number, number]): number | null {
    const { cells } = this.opened!;
    let best: number | null = null;
    let least = Infinity;
    cells.forEach((cell, at) => {
      const [x, y] = [cell.x - cells[from].x, cell.y - cells[from].y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy - y * dx);
      const cost = along + 2.5 * aside;
      if (along > 1 && aside <= 2 * along && cost < least) [best, least] = [at, cost];
    });
    return best;
  }

  private down(event: PointerEvent): void {
    const cell = this.cellOf(event.target);
    if (cell === null || event.button !== 0) return;
    this.focused = cell;
    if (!(event.target as Element).classList.contains("option")) return;
    this.drag = { from: cell, ghost: null, x: event.clientX, y: event.clientY, moved: false };
  }

  private move(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.moved && far < 6) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.ghost = this.man(drag.from);
      drag.ghost?.classList.add("dragged");
      this.place.setPointerCapture(event.pointerId);
    }
    const picture = this.place.querySelector("svg");
    const scale = picture ? picture.viewBox.baseVal.width / picture.clientWidth : 1;
    drag.ghost?.style.setProperty(
      "transform",
      `translate(${(event.clientX - drag.x) * scale}px, ${(event.clientY - drag.y) * scale}px)`,
    );
  }

  private up(event: PointerEvent): void {
    const drag = this.drag;
    this.endDrag();
    if (!drag?.moved) return;
    // The click that follows is no choice of its own.
    this.skipsClick = true;
    setTimeout(() => (this.skipsClick = false));
    const to = this.cellOf(document.elementFromPoint(event.clientX, event.clientY));
    if (to !== null && to !== drag.from) this.events.drop(drag.from, to);
  }

  private endDrag(): void {
    if (!this.drag) return;
    this.drag.ghost?.classList.remove("dragged");
    this.drag.ghost?.style.removeProperty("transform");
    this.drag = undefined;
  }

  /** The top man of a cell. */
  private man(cell: number): SVGElement | null {
    const { x, y } = this.opened!.cells[cell];
    let found: SVGElement | null = null;
    for (const use of this.place.querySelectorAll<SVGUseElement>("svg > use")) {
      const [at, down] = [use.x.baseVal.value, use.y.baseVal.value];
      if (Math.abs(at - x) < 1 && Math.abs(down - y) < this.radius) found = use;
    }
    return found;
  }
}
