import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Gate } from '../access/gate.ts';
import type { Invoke } from '../calls/call.ts';
import type { Contract } from '../contract/contract.ts';
import { answer, TEXT } from '../transports/answer.ts';
import { answerTextFault } from '../transports/answer-text-fault.ts';
import { correlationIdOf, type NewCorrelationId } from '../transports/correlation-id.ts';
import { cors } from '../transports/cors.ts';
import { faultOf } from '../transports/faults.ts';
import { createHttpForms } from '../transports/forms/http-forms.ts';
import { createMetadata, type MetadataDependencies } from '../transports/pages/metadata.ts';
import { createOpenApi, OPENAPI_PATH } from '../transports/pages/openapi.ts';
import { type FaultReport, reportFault } from '../transports/report-fault.ts';
import { createSmsStatus, SMS_STATUS_PATH, type SmsStatusDependencies } from '../transports/sms-status.ts';
import { createSoapDoor } from '../transports/soap/soap-door.ts';
import { whenAdmitted } from '../transports/when-admitted.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { belowPath } from './below-path.ts';
import { type ExactPath, exactPaths } from './exact-paths.ts';

/**
 * Where a supervisor checks whether the process is alive. Such a request is never refused, because the supervisor would then restart the
 * process.
 */
export const HEALTH_PATH = '/healthz';

export interface AppDependencies extends MetadataDependencies, FaultReport {
  readonly invoke: Invoke;
  readonly newCorrelationId: NewCorrelationId;
  readonly gate: Gate;
  /** Origins whose pages may call from scripts. */
  readonly corsOrigins: readonly string[];
  /** Whether WSDL, pages and OpenAPI are only for known clients. */
  readonly protectMetadata: boolean;
  /** The pages requested by the machines of operators, by path. */
  readonly operatingPages: ReadonlyMap<string, RequestListener>;
  /** Undefined means that no status callbacks are accepted. */
  readonly smsStatus: SmsStatusDependencies | undefined;
}

/** The Express app with every endpoint mounted; it does not listen. */
export async function createApp(dependencies: AppDependencies): Promise<Express> {
  const { contract, corsOrigins, httpGet, httpPost, gate } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  const guarded = guard(dependencies);
  const counted = count(gate);
  const byMethod = doorsByMethod(counted);
  const crossOrigin = (methods: readonly string[]) => cors(corsOrigins, methods, gate.count);
  const publicPath = pathOf(dependencies.publicUrl);
  if (publicPath !== '') app.use(belowPath(publicPath));
  const service = crossOrigin(['GET', 'POST'])(
    byMethod({ GET: guarded(createMetadata(dependencies)), POST: await createSoapDoor(dependencies) }),
  );
  const form = createHttpForms(dependencies);
  const methods = { ...(httpGet ? { GET: form } : {}), ...(httpPost ? { POST: form } : {}) };
  const forms = httpGet || httpPost ? crossOrigin(Object.keys(methods))(byMethod(methods)) : undefined;
  const exactForms = forms === undefined ? [] : contract.operations.map(({ name }) => exactForm(contract, name, forms));
  app.use(exactPaths([[contract.path, service], ...exactForms]));
  // In the order in which Express tries them, calls first. There is one layer per path, whereas `app.all` would create one per HTTP method.
  app.route(contract.path).all(service);
  if (forms !== undefined) app.route(`${contract.path}/:operation`).all(forms);
  app.route('/').all(byMethod({ GET: counted(redirectTo(publicPath + contract.path)) }));
  app.route(OPENAPI_PATH).all(crossOrigin(['GET'])(byMethod({ GET: guarded(createOpenApi(dependencies)) })));
  for (const [path, page] of dependencies.operatingPages) {
    const handler: RequestHandler = (request, response) => page(request, response);
    app.route(path).all(path === HEALTH_PATH ? handler : counted(handler));
  }
  if (dependencies.smsStatus !== undefined) {
    app.route(SMS_STATUS_PATH).all(createSmsStatus(dependencies.smsStatus, counted, dependencies.log));
  }
  const nothingHere = counted((_request, _response, next) =>
    next(new ServiceError('NotFound', `There is nothing here; the service is at ${contract.path}.`)),
  );
  app.use((request, response, next) => {
    nothingHere(request, response, next);
    request.resume();
  });
  app.use(answerError(dependencies));
  return app;
}

/** The path of an operation's form. Its handler sets what the route's pattern would set. */
const exactForm = ({ path }: Contract, operation: string, forms: RequestHandler): ExactPath => [
  `${path}/${operation}`,
  (request, response, next) => {
    request.params = { operation };
    forms(request, response, next);
  },
];

/** The path under which a proxy publishes the service, without a trailing slash. */
const pathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

const redirectTo =
  (path: string): RequestHandler =>
  (_request, response) => {
    answer(response, 302, TEXT, `The service is at ${path}.`, { Location: path });
  };

/**
 * Counts requests that need no login, so that a flood of them is refused like a flood of calls. Requests that pass the gate are counted
 * there.
 */
const count =
  ({ count }: Gate) =>
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    whenAdmitted(
      () => count(request),
      () => handler(request, response, next),
      next,
      next,
    );

/**
 * One handler per method. Any other method is counted and answered with 405 and Allow. That includes HEAD, which would run an operation
 * without showing its result.
 */
const doorsByMethod =
  (counted: ReturnType<typeof count>) =>
  (handlers: Readonly<Record<string, RequestHandler>>): RequestHandler => {
    const byName = new Map(Object.entries(handlers));
    const allow = [...byName.keys()].join(', ');
    const refuse = counted((request, response, next) => {
      response.setHeader('Allow', allow);
      next(
        new ServiceError(
          'MethodNotAllowed',
          `${request.method} is not allowed here; expected ${[...byName.keys()].join(' or ')}.`,
        ),
      );
    });
    return (request, response, next) => (byName.get(request.method) ?? refuse)(request, response, next);
  };

/** Protects a page from strangers, if that is configured, and from anyone who requests it too often. */
function guard({ gate, protectMetadata }: AppDependencies): (page: RequestHandler) => RequestHandler {
  const admit = protectMetadata ? gate.admit : gate.count;
  return (page) => (request, response, next) =>
    whenAdmitted(
      () => admit(request),
      () => page(request, response, next),
      next,
      next,
    );
}

/** Answers what no endpoint answered: an unknown URL, a method that is not allowed, a host that is not ours, or our own error. */
const answerError =
  (dependencies: AppDependencies): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const fault = faultOf(error, correlationIdOf(request, dependencies.newCorrelationId));
    reportFault(dependencies, error, fault, 'http', undefined, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answerTextFault(response, fault);
  };
