/** The verdict on the output of `npm audit --json`. */
export interface AuditVerdict {
  readonly isFine: boolean;
  readonly text: string;
}

/** The parts of npm's report that are used here: an error, or the packages that are vulnerable. */
interface AuditReport {
  readonly message?: string;
  readonly error?: { readonly code?: string; readonly summary?: string };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

/** Reads npm's report. A registry that can't be reached is reported, and is not a finding; a report without information is one. */
export function judgeAudit(report: string): AuditVerdict {
  let read: AuditReport;
  try {
    read = JSON.parse(report) as AuditReport;
  } catch {
    return { isFine: true, text: 'NOT CHECKED: npm gave no report.' };
  }
  const { vulnerabilities } = read;
  if (vulnerabilities === undefined) {
    // npm names the registry's address here, which is of no use to the reader.
    const why = read.error?.summary || read.error?.code || (read.message ?? '').replace(/ - .*$/s, '') || 'no answer';
    return { isFine: true, text: `NOT CHECKED: the package registry answers no audit (${why}).` };
  }
  const found = Object.entries(vulnerabilities);
  if (found.length === 0) return { isFine: true, text: 'No package that is installed has a known vulnerability.' };
  const lines = found.map(([name, { severity, range }]) => `  ${name} ${range}: ${severity}`);
  return { isFine: false, text: [`${found.length} packages have known vulnerabilities:`, ...lines].join('\n') };
}
