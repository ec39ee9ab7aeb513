import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { answer, answerFault, type PageOf, TEXT } from '../transports/answer.ts';
import type { EndpointDependencies } from '../transports/call-of-request.ts';
import { cors } from '../transports/cors.ts';
import { faultOf } from '../transports/faults.ts';
import { createHttpForms } from '../transports/forms/http-forms.ts';
import { createMetadata, type MetadataDependencies } from '../transports/pages/metadata.ts';
import { createOpenApi, OPENAPI_PATH } from '../transports/pages/openapi.ts';
import { messagePage } from '../transports/pages/service-page.ts';
import { reportFault } from '../transports/report-fault.ts';
import { correlationIdOf } from '../transports/request-ids.ts';
import { createSmsStatus, SMS_STATUS_PATH, type SmsStatusDependencies } from '../transports/sms-status.ts';
import { createSoapEndpoint } from '../transports/soap/soap-endpoint.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { oneOf } from '../vocabulary/text.ts';
import { belowPath, publicPathOf } from './public-path.ts';
import type { Refuse } from './unusual-requests.ts';

/**
 * Where a supervisor checks whether the process is alive. Such a request is never refused, because the supervisor would then restart the
 * process.
 */
export const HEALTH_PATH = '/healthz';

export interface AppDependencies extends EndpointDependencies, Omit<MetadataDependencies, 'gate'> {
  /** Origins whose pages may call from scripts. */
  readonly corsOrigins: readonly string[];
  /** Whether WSDL, pages and OpenAPI are only for known clients. */
  readonly protectMetadata: boolean;
  /** The pages requested by the machines of operators, by path. */
  readonly operatingPages: ReadonlyMap<string, RequestHandler>;
  /** Undefined means that no status callbacks are accepted. */
  readonly smsStatus: SmsStatusDependencies | undefined;
}

/** The Express app with every endpoint mounted; it does not listen. */
export async function createApp(dependencies: AppDependencies): Promise<Express> {
  const { contract, corsOrigins, transports, gate, protectMetadata } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  /** Counts requests that need no login, so that a flood of them is refused like a flood of calls. */
  const counted =
    (handler: RequestHandler): RequestHandler =>
    (request, response, next) => {
      gate.count(request);
      return handler(request, response, next);
    };
  /** Protects a page from strangers, if that is configured, and from anyone who requests it too often. */
  const guarded =
    (page: RequestHandler): RequestHandler =>
    async (request, response, next) => {
      await (protectMetadata ? gate.admit(request) : gate.count(request));
      return page(request, response, next);
    };
  const byMethod = (handlers: Readonly<Record<string, RequestHandler>>) => handlerByMethod(handlers, counted);
  const crossOrigin = (handlers: Readonly<Record<string, RequestHandler>>) =>
    cors(corsOrigins, Object.keys(handlers), gate.count)(byMethod(handlers));

  const publicPath = publicPathOf(dependencies.publicUrl);
  app.use(belowPath(publicPath));
  const home = publicPath + contract.path;
  const pageOf: PageOf = (title, sentence) => messagePage(title, sentence, home);
  const form = createHttpForms(dependencies, pageOf);
  // In the order in which Express tries them, calls first. There is one layer per path, whereas `app.all` would create one per HTTP method.
  const metadata = guarded(createMetadata(dependencies));
  const soap = createSoapEndpoint(dependencies);
  app.route(contract.path).all(crossOrigin({ GET: metadata, HEAD: metadata, POST: soap.receive }));
  await soap.listen(app);
  const forms = {
    ...(transports.includes('httpGet') ? { GET: form } : {}),
    ...(transports.includes('httpPost') ? { POST: form } : {}),
  };
  if (Object.keys(forms).length > 0) app.route(`${contract.path}/:operation`).all(crossOrigin(forms));
  const root = counted(redirectTo(home));
  app.route('/').all(byMethod({ GET: root, HEAD: root }));
  const openApi = guarded(createOpenApi(dependencies));
  app.route(OPENAPI_PATH).all(crossOrigin({ GET: openApi, HEAD: openApi }));
  for (const [path, page] of dependencies.operatingPages) {
    app.route(path).all(path === HEALTH_PATH ? page : counted(page));
  }
  if (dependencies.smsStatus !== undefined) {
    app.route(SMS_STATUS_PATH).all(createSmsStatus(dependencies.smsStatus, counted, dependencies.log));
  }
  app.use(
    counted(() => {
      throw new ServiceError('NotFound', `There is nothing here; the service is at ${contract.path}.`);
    }),
  );
  app.use(answerError(dependencies, pageOf));
  return app;
}

const redirectTo =
  (path: string): RequestHandler =>
  (_request, response) =>
    answer(response, 302, TEXT, `The service is at ${path}.`, { Location: path });

/**
 * One handler per method. Any other method is counted and answered with 405 and Allow. That includes HEAD of a form, which would run an
 * operation without showing its result.
 */
function handlerByMethod(
  handlers: Readonly<Record<string, RequestHandler>>,
  counted: (handler: RequestHandler) => RequestHandler,
): RequestHandler {
  const byName = new Map(Object.entries(handlers));
  const names = [...byName.keys()];
  const refuse = counted(({ method }, response) => {
    response.setHeader('Allow', names.join(', '));
    throw new ServiceError('MethodNotAllowed', `${method} is not allowed here; expected ${oneOf(names)}.`);
  });
  return (request, response, next) => (byName.get(request.method) ?? refuse)(request, response, next);
}

/** Counts and logs the requests that the server refuses by itself. */
export const createRefuse =
  (dependencies: AppDependencies): Refuse =>
  (request, error) => {
    let problem: unknown = error;
    try {
      dependencies.gate.count(request);
    } catch (tooMany) {
      problem = tooMany;
    }
    const fault = faultOf(problem, correlationIdOf(request, dependencies.newCorrelationId));
    reportFault(dependencies, problem, fault, { request, transport: 'http' });
    return fault;
  };

/** Answers what no endpoint answered: an unknown URL, a method that is not allowed, a host that is not ours, or our own error. */
const answerError =
  (dependencies: AppDependencies, pageOf: PageOf): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const fault = faultOf(error, correlationIdOf(request, dependencies.newCorrelationId));
    reportFault(dependencies, error, fault, { request, transport: 'http' });
    if (response.headersSent) response.destroy();
    else answerFault(request, response, fault, pageOf);
  };
