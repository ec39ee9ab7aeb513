/** Shows how far a long work has come: what is being done, how much of it, and of how much if that is known. */
export type Progress = (what: string, done?: number, total?: number) => void;
