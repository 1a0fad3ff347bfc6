/** What each game looks like. A game that the protocol knows and this page does not is a compile error. */
import type { ComponentType } from "preact";
import type { TableOptions } from "../protocol/types";
import type { Shown, TableStore } from "../state/table";
import { Board } from "./scout/Board";

export interface GameUi {
  /** The table once the match has started, for players and spectators. */
  Table: ComponentType<{ store: TableStore; shown: Shown; invite: string | null }>;
}

export const GAMES: Record<NonNullable<TableOptions["game"]>, GameUi> = {
  scout: { Table: Board },
};
