/** The script of the kitchen screen: taps act at once, orders arrive by themselves, ages keep counting. Without it buttons post forms. */
import { setClock } from "../clock";
import { findInList } from "../ui/find";
import { countOn } from "./kitchen/ages";
import { apply } from "./kitchen/board";
import { listen } from "./kitchen/feed";
import { sound } from "./kitchen/sound";
import { catchPause, catchTaps } from "./kitchen/taps";

const board = document.querySelector<HTMLFormElement>("#board");
const status = document.querySelector<HTMLElement>("#link");
if (board && status) {
  setClock(Number(board.dataset.now));
  const ring = sound(document.querySelector<HTMLButtonElement>("#sound"));
  const say = (text: string) => {
    status.textContent = text;
  };
  const again = listen(board.dataset.events ?? "", say, (html) => {
    if (apply(board, html) > 0) ring();
  });
  catchTaps(board, say, again);
  catchPause(document.querySelector(".tools"), board.action, say, again);
  countOn(document);
  findInList(document);
} else if (document.querySelector(".slip")) print();
