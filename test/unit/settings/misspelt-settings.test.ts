import { hostname } from 'node:os';
import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { mistakesOf } from './settings-suite.ts';

const environmentOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']));

/** Checks which setting each name is taken for; `names` are written like `PROT: PORT`. */
function expectMeant(...names: readonly string[]): void {
  const mistakes = mistakesOf(environmentOf(names.map((name) => name.replace(/:.*/, ''))));
  const MEANT = /: no setting has this name; expected (\w+), or no such variable$/;
  expect(mistakes.map((mistake) => mistake.replace(MEANT, ': $1'))).to.deep.equal(names);
}

/** Environment variables of real machines: from shells, desktops, systemd, containers, CI, and developers' tools. */
const ORDINARY = `
  HOME PATH HOSTNAME HOSTTYPE HOSTS LOGNAME LOGLEVEL SHELL SHLVL LANG LANGUAGE LC_ALL LC_CTYPE PWD OLDPWD USER USERNAME USERPROFILE TERM COLORTERM EDITOR
  PAGER DISPLAY MAIL TZ TZDIR TMPDIR TEMP TMP APPDATA LOCALAPPDATA PROGRAMFILES SYSTEMROOT WINDIR COMSPEC PATHEXT NUMBER_OF_PROCESSORS OS
  PROCESSOR_ARCHITECTURE PORTS HTTP_PORT HTTPS_PORT HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy FTP_PROXY
  SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY DBUS_SESSION_BUS_ADDRESS
  XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_DATA_DIRS WAYLAND_DISPLAY WSL_DISTRO_NAME VIRTUAL_ENV PYTHONPATH JAVA_HOME GOPATH CARGO_HOME NVM_DIR
  INVOCATION_ID JOURNAL_STREAM CREDENTIALS_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY RUNTIME_DIRECTORY CONFIGURATION_DIRECTORY
  NOTIFY_SOCKET LISTEN_FDS LISTEN_PID WATCHDOG_PID WATCHDOG_USEC MAINPID MANAGERPID SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH SERVICE_RESULT
  NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION NODE_CHANNEL_FD NODE_UNIQUE_ID YARN_VERSION DEBUG FORCE_COLOR NO_COLOR INIT_CWD
  npm_config_cache npm_config_port npm_config_registry npm_execpath npm_lifecycle_event npm_lifecycle_script npm_node_execpath
  npm_package_json npm_package_name npm_package_version npm_command npm_config_user_agent npm_config_node_gyp npm_config_prefix
  CI CI_JOB_ID CI_COMMIT_SHA CI_PROJECT_DIR CI_REGISTRY CI_SERVER_HOST CI_SERVER_PORT GITHUB_ACTIONS GITHUB_TOKEN GITHUB_WORKSPACE GITLAB_CI
  RUNNER_OS RUNNER_TEMP JENKINS_URL BUILD_NUMBER BUILD_ID JOB_NAME WORKSPACE EXECUTOR_NUMBER TRAVIS CIRCLECI TEAMCITY_VERSION
  container DOCKER_HOST DOCKER_TLS_VERIFY DOCKER_CERT_PATH COMPOSE_PROJECT_NAME COMPOSE_FILE
  KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP_ADDR POD_NAME POD_IP POD_NAMESPACE NODE_NAME SERVICE_ACCOUNT
  DATABASE_PORT DATABASE_PORT_5432_TCP DATABASE_PORT_5432_TCP_ADDR DATABASE_SERVICE_HOST DATABASE_SERVICE_PORT DATABASE_NAME DATABASE_USER
  DATABASE_HOST DATABASE_PASSWORD DB_HOST DB_URL SMS_PORT SMS_SERVICE_HOST SMS_GATEWAY_SERVICE_PORT SMS_GATEWAY_PORT_13013_TCP_PROTO
  PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE POSTGRES_PASSWORD POSTGRES_PASSWORD_FILE POSTGRES_USER REDIS_URL MYSQL_HOST
  RESULT RESULTS_DIR NAMESPACES NAMESPACE_URI REFUSAL HOST_NAME PORT_HTTP namespace name status host port refusals node_args pm_id pm_cwd exec_mode instances unique_id NODE_APP_INSTANCE km_link restart_time
  TEST_DATABASE_URL AWS_REGION AWS_ACCESS_KEY_ID GOOGLE_APPLICATION_CREDENTIALS AZURE_TENANT_ID
`
  .trim()
  .split(/\s+/);

describe('Misspelt settings', () => {
  it('stop the start if a letter or two are wrong', () => {
    expectMeant(
      'CLIENT_FILE: CLIENTS_FILE',
      'TRUSTED_PROXYS: TRUSTED_PROXIES',
      'DATABASE_URI: DATABASE_URL',
      'TIMEZONE: TIME_ZONE',
      'allowed_hosts: ALLOWED_HOSTS',
      'SMS_PASWORD_FILE: SMS_PASSWORD_FILE',
      'OPERATION_PORT: OPERATIONS_PORT',
      'PROT: PORT',
      'HSOT: HOST',
    );
  });

  it('stop the start if they begin like a setting', () => {
    expectMeant('CLIENTS_FILE_PATH: CLIENTS_FILE', 'AUDIT_RETENTION: AUDIT_RETENTION_DAYS', 'SMS_PASS: SMS_PASSWORD');
    expectMeant('TLS_CERTIFICATE: TLS_CERT', 'CLIENTS_FILE_FILE: CLIENTS_FILE');
  });

  it('include names that another setting has replaced', () => {
    expectMeant('HTTP_GET: HTTP_FORMS', 'HTTP_POST: HTTP_FORMS');
  });

  it('include names of settings that cannot be read from a file', () => {
    expectMeant('TLS_CERT_FILE: TLS_CERT');
  });

  it("do not include the address of Kubernetes' service of a setting's name, which sets nothing", () => {
    const { monitoring } = readConfig({ OPERATIONS_PORT: 'tcp://10.0.0.1:9090', OPERATIONS_SERVICE_HOST: '10.0.0.1' });
    expect(monitoring.operations).to.equal(undefined);
    expect(mistakesOf({ OPERATIONS_PORT: 'http://10.0.0.1:9090' })).to.have.length(1);
  });

  it("do not include a pod's namespace and the machine's name, which set nothing", () => {
    const config = readConfig({ NAMESPACE: 'hospital-prod', HOST: hostname() });
    expect([config.namespace, config.host]).to.deep.equal(['http://tempuri.org/', '127.0.0.1']);
    expect(mistakesOf({ NAMESPACE: 'Hospital' })).to.have.length(1);
    expect(readConfig({ HOST: `other-than-${hostname()}` }).host).to.equal(`other-than-${hostname()}`);
  });

  it('do not include names in other letters that are read all the same, as on Windows', () => {
    const environment = new Proxy(
      { Allowed_Hosts: 'a.example.org', Client_File: 'x' },
      {
        get: (target, name) =>
          Object.entries(target).find(([own]) => own.toUpperCase() === String(name).toUpperCase())?.[1],
      },
    );
    expect(mistakesOf(environment)).to.deep.equal([
      'Client_File: no setting has this name; expected CLIENTS_FILE, or no such variable',
    ]);
  });

  it('do not stop the start if they are empty, are settings, or are variables that any machine has', () => {
    expect(() => readConfig({ CLIENT_FILE: ' ', PORT: '8080', SMS_SENDER: 'HOSPTL' })).not.to.throw();
    for (const name of ORDINARY) expect(() => readConfig({ [name]: 'x' }), name).not.to.throw();
    expect(() => readConfig(process.env)).not.to.throw();
  });
});
