import type { Session } from '../statement.ts';
import { markByName, setMark } from './set-mark.ts';

/** Name of the mark that records when the last complete backup was started: an instant in ms, in decimal digits. */
const LAST_BACKUP = 'last-backup';

/** What the database knows about its own backups. */
export class BackupQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Instant, ms, at which the last complete backup was started; undefined if there has been none. */
  async lastOn(): Promise<number | undefined> {
    const [mark] = await markByName(this.#session, { name: LAST_BACKUP });
    return mark === undefined ? undefined : Number(mark.value);
  }

  async note(begunOn: number): Promise<void> {
    await setMark(this.#session, { name: LAST_BACKUP, value: String(begunOn) });
  }
}
