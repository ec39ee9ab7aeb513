"""Logs in through zeep's UsernameToken. Source: docs.python-zeep.org/en/master/wsse.html."""
import json
import os
from datetime import datetime

import zeep
from requests import Session
from requests.auth import HTTPBasicAuth
from zeep.transports import Transport
from zeep.wsse.username import UsernameToken

TRANSPORT = os.environ['TRANSPORT']
USER = os.environ['TOKEN_USER']
PASSWORD = os.environ['PASSWORD']
PORT = {'soap11': 'TPWebServicesSoap', 'soap12': 'TPWebServicesSoap12'}[TRANSPORT]
WSSE = '{http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd}'


def report(check, ok, detail=''):
    print(json.dumps({'operation': 'GetDoctor', 'transport': TRANSPORT, 'check': check, 'ok': ok, 'detail': str(detail)}))


def connect(wsse=None, auth=None, certificate=None):
    session = Session()
    session.verify = os.environ['CA']
    session.auth = auth
    session.cert = certificate
    return zeep.Client(os.environ['WSDL'], wsse=wsse, transport=Transport(session=session)).bind('TPWebServices', PORT)


def passes(check, service):
    try:
        count = len(service.GetDoctor(centerid=1).Doctors.Doctor)
        report(check, count == 10, count)
    except Exception as error:
        report(check, False, repr(error))


def is_refused(check, service, code):
    try:
        service.GetDoctor(centerid=1)
        report(check, False, 'no fault')
    except zeep.exceptions.Fault as fault:
        # In SOAP 1.1 zeep gives the code as it is written, in SOAP 1.2 the subcodes with their namespaces.
        ok = fault.code == 'wsse:' + code if TRANSPORT == 'soap11' else WSSE + code in [q.text if hasattr(q, "text") else str(q) for q in fault.subcodes]
        report(check, ok, f'{fault.code} {fault.subcodes}')


passes('token with text', connect(UsernameToken(USER, PASSWORD)))
passes('token with digest', connect(UsernameToken(USER, PASSWORD, use_digest=True)))
passes('token with digest and Z', connect(UsernameToken(USER, PASSWORD, use_digest=True, zulu_timestamp=True)))
for kind, digest in (('text', False), ('digest', True)):
    is_refused(f'wrong {kind}', connect(UsernameToken(USER, PASSWORD + 'x', use_digest=digest)), 'FailedAuthentication')
again = connect(UsernameToken(USER, PASSWORD, use_digest=True, nonce='once ' + os.environ['RUN'], created=datetime.utcnow()))
passes('a nonce', again)
is_refused('the nonce again', again, 'FailedAuthentication')
old = connect(UsernameToken(USER, PASSWORD, use_digest=True, created=datetime(2026, 1, 1)))
is_refused('an old message', old, 'FailedAuthentication')

passes('HTTP Basic', connect(auth=HTTPBasicAuth(os.environ['BASIC_USER'], PASSWORD)))
passes('certificate', connect(certificate=(os.environ['CLIENT_CERT'], os.environ['CLIENT_KEY'])))
try:
    connect().GetDoctor(centerid=1)
    report('nothing', False, 'no fault')
except Exception as error:
    report('nothing', 'cannot identify the caller' in str(error), repr(error))
