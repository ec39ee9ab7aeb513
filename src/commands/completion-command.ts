import { Argument, type Command } from 'commander';
import type { DefineCommand } from './command-host.ts';

/** What may follow, by the words before it: the names of a command, or these and an option that takes one of several values. */
type NextWords = ReadonlyMap<string, readonly string[]>;

/** A script that completes the words of tpws: it appends each word that names a command to `at`, and looks up what may follow. */
type ShellScript = (next: NextWords, commands: readonly string[]) => string;

const quoted = (words: readonly string[]): string => `'${words.join(' ')}'`;

/** Also zsh's, which has a function for scripts of bash. Both complete the names of files where no word fits. */
const bashScript: ShellScript = (next, commands) => `_tpws() {
  local word current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[$((COMP_CWORD - 1))]} at=tpws
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$at $word" in ${commands.map((names) => quoted([names])).join('|')}) at="$at $word" ;; esac
  done
  local next=
  for word in "$at" "$at $before"; do
    case $word in
${[...next].map(([words, after]) => `      ${quoted([words])}) next=${quoted(after)} ;;`).join('\n')}
    esac
  done
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o bashdefault -o default -F _tpws tpws
`;

const fishScript: ShellScript = (next, commands) => `function __tpws
    set -l words (commandline -opc)
    set -l at tpws
    for word in $words[2..]
        contains -- "$at $word" ${commands.map((names) => quoted([names])).join(' ')}; and set at "$at $word"
    end
    set -l next
    for word in "$at" "$at $words[-1]"
        switch $word
${[...next].map(([words, after]) => `            case ${quoted([words])}\n                set next ${after.join(' ')}`).join('\n')}
        end
    end
    set next (string match -- (commandline -ct)'*' $next)
    set -q next[1]; and string join -- \\n $next; or __fish_complete_path (commandline -ct)
end
complete -c tpws -f -a '(__tpws)'
`;

const SHELLS: Readonly<Record<string, ShellScript>> = {
  bash: bashScript,
  zsh: (...words) => `autoload -Uz bashcompinit && bashcompinit\n${bashScript(...words)}`,
  fish: fishScript,
};

/** `completion SHELL`: prints the script with which a shell completes the commands and options of the program. */
export const completionCommand: DefineCommand = (command, { output }) =>
  command
    .description('Prints a script that completes commands and options: source <(tpws completion bash)')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .action((shell: string) => {
      const next = new Map(nextWords(command.parent ?? command, 'tpws'));
      const commands = [...next.keys()].filter((words) => words !== 'tpws' && !words.includes(' -'));
      output.write(SHELLS[shell]?.(next, commands) ?? '');
    });

function* nextWords(command: Command, names: string): Generator<[words: string, next: readonly string[]]> {
  const options = command.createHelp().visibleOptions(command);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const commands = command.commands.map((each) => each.name());
  yield [names, [...commands, ...choices, ...options.flatMap(({ long }) => long ?? [])]];
  for (const { long, argChoices } of options) if (argChoices) yield [`${names} ${long}`, argChoices];
  for (const each of command.commands) yield* nextWords(each, `${names} ${each.name()}`);
}
