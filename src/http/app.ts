import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Gate } from '../access/gate.ts';
import type { Invoke } from '../calls/call.ts';
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
import { strictTransport } from '../transports/strict-transport.ts';
import { whenAdmitted } from '../transports/when-admitted.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { HEALTH_PATH } from '../vocabulary/health-path.ts';
import { belowPath } from './below-path.ts';

export interface AppDependencies extends MetadataDependencies, FaultReport {
  readonly invoke: Invoke;
  readonly newCorrelationId: NewCorrelationId;
  readonly gate: Gate;
  /** Origins whose pages may call by script. */
  readonly corsOrigins: readonly string[];
  /** Over TLS, seconds for which browsers use nothing else; 0 says nothing. */
  readonly hstsSeconds: number;
  /** Whether WSDL, pages and OpenAPI are for known clients only. */
  readonly protectMetadata: boolean;
  /** What an operator's machines ask, by path. */
  readonly operatingPages: ReadonlyMap<string, RequestListener>;
  /** Undefined: no status call-backs are taken. */
  readonly smsStatus: SmsStatusDependencies | undefined;
}

/** The Express app with every door mounted; it doesn't listen. */
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
  if (dependencies.hstsSeconds > 0) app.use(strictTransport(dependencies.hstsSeconds, dependencies));
  // In the order in which Express tries them, calls first. One layer a path: `app.all` would make one for each of HTTP's methods.
  app
    .route(contract.path)
    .all(
      ...crossOrigin(['GET', 'POST']),
      byMethod({ GET: guarded(createMetadata(dependencies)), POST: await createSoapDoor(dependencies) }),
    );
  const forms = createHttpForms(dependencies);
  const methods = { ...(httpGet ? { GET: forms } : {}), ...(httpPost ? { POST: forms } : {}) };
  if (httpGet || httpPost) {
    app.route(`${contract.path}/:operation`).all(...crossOrigin(Object.keys(methods)), byMethod(methods));
  }
  app.route('/').all(byMethod({ GET: counted(redirectTo(publicPath + contract.path)) }));
  app.route(OPENAPI_PATH).all(...crossOrigin(['GET']), byMethod({ GET: guarded(createOpenApi(dependencies)) }));
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

/** Where a proxy has put the service, without a slash at its end. */
const pathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

const redirectTo =
  (path: string): RequestHandler =>
  (_request, response) => {
    answer(response, 302, TEXT, `The service is at ${path}.`, { Location: path });
  };

/** Counts what anybody may ask for, so that a flood of it is refused like one of calls. What passes the gate is counted there. */
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

/** One handler a method; any other method is counted and answered 405 with Allow, HEAD too, since it would run an operation unseen. */
const doorsByMethod =
  (counted: ReturnType<typeof count>) =>
  (handlers: Readonly<Record<string, RequestHandler>>): RequestHandler => {
    const byName = new Map(Object.entries(handlers));
    const allow = [...byName.keys()].join(', ');
    const refuse = counted((request, response, next) => {
      response.setHeader('Allow', allow);
      next(new ServiceError('MethodNotAllowed', `${request.method} is not allowed here; allowed are ${allow}.`));
    });
    return (request, response, next) => (byName.get(request.method) ?? refuse)(request, response, next);
  };

/** Keeps a page from strangers where that is asked for, and from whoever asks too often. */
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

/** What no door answered: an unknown address, a method that isn't allowed, a host that isn't ours, or our own mistake. */
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
