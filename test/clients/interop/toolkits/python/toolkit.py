"""A toolkit in Python, driven by ../drive.ts: reads one call per line of standard input, and prints what came of it."""
import asyncio
import json
import os
import sys
from datetime import datetime
from xml.etree import ElementTree
from xml.sax.saxutils import escape

IS_SOAP12 = os.environ['TRANSPORT'] == 'soap12'
ENDPOINT, WSDL = os.environ['ENDPOINT'], os.environ['WSDL']
if os.environ.get('CALLS') == 'old':
    WSDL = 'file://' + os.environ['OLD_WSDL']
PASSWORD, TOKEN_USER = (os.environ.get(name) for name in ('PASSWORD', 'TOKEN_USER'))
CERTIFICATE = (os.environ['CLIENT_CERT'], os.environ['CLIENT_KEY']) if 'WITH_CERTIFICATE' in os.environ else None
NAMESPACE = 'http://tempuri.org/'
ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope' if IS_SOAP12 else 'http://schemas.xmlsoap.org/soap/envelope/'
WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'


class Lacks(Exception):
    """The toolkit cannot do it, for the reason that this says."""


class Refused(Exception):
    """A typed fault."""

    def __init__(self, error, detail):
        super().__init__(f'{error} {detail}')
        self.detail = detail


def with_dates(values):
    return {k: datetime.fromisoformat(v) if k in ('app_date', 'app_time', 'appdate', 'apptime') and v else v for k, v in values.items()}


def read_element(element):
    """An element without children is its text; children of one name are a list if their parent's name is theirs in plural."""
    name = element.tag.split('}')[-1]
    if len(element) and all(child.tag.split('}')[-1] + 's' == name for child in element):
        return {name[:-1]: [read_element(child) for child in element]}
    return {child.tag.split('}')[-1]: read_element(child) for child in element} or element.text


class Zeep:
    def __init__(self, mode):
        import requests
        import zeep
        self.zeep, self.session = zeep, requests.Session()
        self.session.cert = CERTIFICATE
        settings = zeep.Settings(strict=mode != 'lax')
        self.is_async = mode == 'async'
        name = '{%s}TPWebServicesSoap%s' % (NAMESPACE, '12' if IS_SOAP12 else '')
        if self.is_async:
            from zeep.proxy import AsyncServiceProxy
            self.client = zeep.AsyncClient(WSDL, settings=settings)
            self.service = AsyncServiceProxy(self.client, self.client.wsdl.bindings[name], address=ENDPOINT)
        else:
            self.client = zeep.Client(WSDL, settings=settings, transport=zeep.Transport(session=self.session))
            self.service = self.client.create_service(name, ENDPOINT)

    def call(self, operation, values, log_in):
        from zeep.wsse.username import UsernameToken
        self.session.auth = (os.environ['BASIC_USER'], PASSWORD) if log_in == 'Basic' else None
        self.session.headers.pop('X-API-Key', None)
        if log_in == 'API key':
            self.session.headers['X-API-Key'] = os.environ['API_KEY']
        self.client.wsse = UsernameToken(TOKEN_USER, PASSWORD, use_digest='digest' in log_in) if 'Token' in log_in else None
        given = {k: self.zeep.xsd.SkipValue if v is None else v for k, v in with_dates(values).items()}
        try:
            result = self.service[operation](**given)
            if self.is_async:
                result = LOOP.run_until_complete(result)
        except self.zeep.exceptions.Fault as fault:
            found = None if fault.detail is None else fault.detail.find('.//{%s}ServiceFault' % NAMESPACE)
            if found is None or os.environ.get('CALLS') == 'old':
                raise
            raise Refused(fault, self.plain(self.client.get_element(found.tag).parse(found, self.client.wsdl.types)))
        return self.plain(result)

    def plain(self, result):
        return self.zeep.helpers.serialize_object(result, dict)


class Suds:
    def __init__(self):
        import ssl
        import suds.client
        import suds.transport.http
        import urllib.request

        class Transport(suds.transport.http.HttpAuthenticated):
            def u2handlers(self):
                context = ssl.create_default_context(cafile=os.environ.get('CA'))
                if CERTIFICATE:
                    context.load_cert_chain(*CERTIFICATE)
                return [urllib.request.HTTPSHandler(context=context)]

        self.suds, self.transport = suds, Transport
        self.connect()

    def connect(self, **options):
        transport = self.transport(**{k: options.pop(k) for k in ('username', 'password') if k in options})
        self.client = self.suds.client.Client(WSDL, location=ENDPOINT, transport=transport, cache=None, **options)

    def call(self, operation, values, log_in):
        if log_in == 'Basic':
            self.connect(username=os.environ['BASIC_USER'], password=PASSWORD)
        elif log_in == 'API key':
            self.connect(headers={'X-API-Key': os.environ['API_KEY']})
        elif 'Token' in log_in:
            from suds.wsse import Security, UsernameToken
            if 'digest' in log_in:
                raise Lacks('suds takes a digest that the program has computed')
            security = Security()
            security.tokens.append(UsernameToken(TOKEN_USER, PASSWORD))
            self.connect(wsse=security)
        given = {k: v for k, v in with_dates(values).items() if v is not None}
        try:
            return self.plain(self.client.service['TPWebServicesSoap'][operation](**given))
        except self.suds.WebFault as fault:
            raise Refused(fault, self.plain(fault.fault.detail.ServiceFault))

    def plain(self, value):
        if isinstance(value, list):
            return [self.plain(each) for each in value]
        if hasattr(value, '__keylist__'):
            return {k: self.plain(v) for k, v in self.suds.sudsobject.asdict(value).items()}
        return value


class Requests:
    """Envelopes by hand."""

    def __init__(self):
        import requests
        self.session = requests.Session()
        self.session.cert = CERTIFICATE

    def call(self, operation, values, log_in):
        if 'digest' in log_in:
            raise Lacks('an envelope by hand has no digest')
        header = f'''<s:Header><w:Security xmlns:w="{WSSE}"><w:UsernameToken><w:Username>{escape(TOKEN_USER)}</w:Username>\
<w:Password>{escape(PASSWORD)}</w:Password></w:UsernameToken></w:Security></s:Header>''' if log_in == 'UsernameToken' else ''
        elements = ''.join(f'<{k}>{escape(str(v))}</{k}>' for k, v in values.items() if v is not None)
        body = f'<{operation} xmlns="{NAMESPACE}">{elements}</{operation}>'
        action = NAMESPACE + operation
        headers = {'Content-Type': f'application/soap+xml; charset=utf-8; action="{action}"'} if IS_SOAP12 else {
            'Content-Type': 'text/xml; charset=utf-8', 'SOAPAction': f'"{action}"'}
        if log_in == 'API key':
            headers['X-API-Key'] = os.environ['API_KEY']
        answer = self.session.post(
            ENDPOINT, headers=headers, auth=(os.environ['BASIC_USER'], PASSWORD) if log_in == 'Basic' else None,
            data=f'<s:Envelope xmlns:s="{ENVELOPE}">{header}<s:Body>{body}</s:Body></s:Envelope>'.encode())
        envelope = ElementTree.fromstring(answer.content)
        fault = envelope.find('.//{%s}ServiceFault' % NAMESPACE)
        if answer.status_code != 200:
            raise Refused(f'{answer.status_code} {answer.text}', None if fault is None else read_element(fault))
        return read_element(envelope.find('.//{%s}%sResult' % (NAMESPACE, operation)))


class Pysimplesoap:
    def __init__(self):
        from pysimplesoap.client import SoapClient, SoapFault
        self.SoapFault = SoapFault
        self.client = SoapClient(wsdl=WSDL)
        self.client.services['TPWebServices']['ports']['TPWebServicesSoap']['location'] = ENDPOINT

    def call(self, operation, values, _log_in):
        try:
            given = {k: v for k, v in with_dates(values).items() if v is not None}
            return self.client.wsdl_call(operation, **given)[operation + 'Result']
        except self.SoapFault as fault:
            raise Refused(fault, (fault.detail or {}).get('ServiceFault'))


LOOP = asyncio.new_event_loop()
asyncio.set_event_loop(LOOP)
toolkit = globals()[sys.argv[1]](*sys.argv[2:])
for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = {'result': toolkit.call(asked['operation'], asked['values'], asked.get('logIn', ''))}
    except Lacks as reason:
        answer = {'lacks': str(reason)}
    except Refused as refused:
        answer = {'error': str(refused)} if refused.detail is None else {'error': str(refused), 'fault': refused.detail}
    except Exception as error:
        answer = {'error': repr(error)}
    print(json.dumps(answer, default=lambda value: value.isoformat() if isinstance(value, datetime) else str(value)), flush=True)
