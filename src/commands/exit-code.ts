/** How commands and scripts end unless they succeed: a schedule can tell a run that failed from one that could never succeed. */
export const ExitCode = { Failed: 1, WrongArguments: 2 } as const;
