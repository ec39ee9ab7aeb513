"""Calls the service through zeep, with the proxy that zeep makes from the WSDL. Source: docs.python-zeep.org."""
import json
import os
from datetime import datetime, timedelta

import zeep
from lxml import etree

TRANSPORT = os.environ['TRANSPORT']
RUN = os.environ['RUN']
TEXT = os.environ['TEXT']
PORTS = {
    'soap11': 'TPWebServicesSoap',
    'soap12': 'TPWebServicesSoap12',
    'httpGet': 'TPWebServicesHttpGet',
    'httpPost': 'TPWebServicesHttpPost',
}
SOAP = TRANSPORT in ('soap11', 'soap12')
NS = '{http://tempuri.org/}'

client = zeep.Client(os.environ['WSDL'])
service = client.bind('TPWebServices', PORTS[TRANSPORT])
day = datetime.fromisoformat(os.environ['DAY'])


def report(operation, check, ok, detail=''):
    print(json.dumps({'operation': operation, 'transport': TRANSPORT, 'check': check, 'ok': ok, 'detail': str(detail)}))


def expect(operation, check, actual, expected):
    report(operation, check, actual == expected, '' if actual == expected else f'{actual!r}, not {expected!r}')


def call(operation, **values):
    """The typed result. The forms take texts, and need all parameters."""
    if SOAP:
        return service[operation](**values)
    texts = {k: v.isoformat() if isinstance(v, datetime) else str(v) for k, v in values.items()}
    if TRANSPORT == 'httpPost':  # zeep sends the word None for what is missing
        texts = dict.fromkeys(service._binding.get(operation).input.abstract.parts, '') | texts
    return service[operation](**texts)


def expect_fault(operation, check, code, result_code, parameter, **values):
    try:
        result = call(operation, **values)
    except zeep.exceptions.Fault as fault:
        if not SOAP:  # zeep hands out the body of the error as its message
            text = fault.message.decode()
            wanted = f'<ResultCode>{result_code}</ResultCode>' if result_code else f'Parameter {parameter}:'
            report(operation, check, wanted in text, text)
            return
        found = fault.detail.find('.//' + NS + 'ServiceFault')
        typed = client.get_element(NS + 'ServiceFault').parse(found, client.wsdl.types)
        expect(operation, check, (typed.Code, typed.ResultCode, typed.Parameter), (code, result_code, parameter))
    else:
        report(operation, check, False, f'no fault but {result}')


def booking(at, **patient):
    return {'DoctorID': 102, 'app_date': at, 'app_time': at, 'centerid': 1, **patient}


def full(at, number, **patient):
    return booking(at, RegistrationNumber=number, title='Mrs', Name=TEXT, Sex='F', Age='34', area='Indiranagar',
                   contactnumber='9845012345', email='asha@example.org', **patient)


doctors = call('GetDoctor', centerid=1)
asha = next(d for d in doctors.Doctors.Doctor if d.DoctorID == 101)
expect('GetDoctor', 'typed', (doctors.ResultCode, len(doctors.Doctors.Doctor), asha.DoctorName, asha.SlotMinutes, asha.OPDays),
       (0, 10, 'Dr. Asha Rao', 15, 'Mon-Sat'))
expect_fault('GetDoctor', 'refusal', 'Refused', 11, 'centerid', centerid=9)

first = call('Fetch_Details', **full(day, RUN + '-1'))
expect('Fetch_Details', 'typed', (first.ResultCode, first.Status, first.TokenNo, first.RegistrationNumber),
       (0, 2, 1, RUN + '-1'))
expect('Fetch_Details', 'midnight', (first.app_date, first.app_time), (day, day))
late = day + timedelta(hours=23, minutes=45)
if SOAP:
    second = call('Fetch_Details', **booking(late, Name='Ravi', contactnumber='9845012346'))
else:
    if TRANSPORT == 'httpGet':  # a POST is sent with the word None for what is missing
        try:
            call('Fetch_Details', **booking(late, Name='Ravi', contactnumber='9845012346'))
            report('Fetch_Details', 'missing strings', False, 'no error')
        except Exception as error:  # zeep's own or the service's: on the forms all parameters have to be there
            report('Fetch_Details', 'missing strings', True, error)
    second = call('Fetch_Details', **{**full(late, ''), 'title': '', 'Name': 'Ravi'})
expect('Fetch_Details', 'before midnight', (second.ResultCode, second.app_time), (0, late))
noon = day + timedelta(hours=12)
third = call('Fetch_Details', **booking(noon, RegistrationNumber='', title='', Name='Ravi', Sex='', Age='', area='',
                                        contactnumber='9845012347', email=''))
expect('Fetch_Details', 'empty strings', third.ResultCode, 0)
expect_fault('Fetch_Details', 'refusal', 'Refused', 14, None, **full(day, RUN + '-2'))
expect_fault('Fetch_Details', 'bad value', 'InvalidValue', None, 'RegistrationNumber', **full(day, 'x' * 51))

state = call('Appointment_Status', AppointmentID=second.AppointmentID, centerid=1)
expect('Appointment_Status', 'typed', (state.DoctorID, state.Status, state.RescheduleCount, state.apptime), (102, 2, 0, late))
expect_fault('Appointment_Status', 'refusal', 'Refused', 20, 'AppointmentID', AppointmentID=999999, centerid=1)

moved = day + timedelta(hours=23, minutes=30)
change = call('Appointment_Status_Updates', AppointmentID=second.AppointmentID, type=1, appdate=day, apptime=moved, centerid=1)
expect('Appointment_Status_Updates', 'typed', (change.Changed, change.PreviousStatus, change.apptime), (True, 2, moved))
unset = datetime(1, 1, 1)
change = call('Appointment_Status_Updates', AppointmentID=second.AppointmentID, type=6, appdate=unset, apptime=unset, centerid=1)
expect('Appointment_Status_Updates', 'unset dates', (change.Changed, change.Status, change.StatusText), (True, 6, 'Cancelled'))

listed = call('OPAppointmentdetail', doctorid=102, appdate=day, centerid=1)
rows = listed.Appointments.Appointment
expect('OPAppointmentdetail', 'typed', (listed.TotalCount, [r.apptime for r in rows]), (2, [day, noon]))
expect('OPAppointmentdetail', 'markup and Unicode', rows[0].Name, TEXT)
expect('OPAppointmentdetail', 'empty strings', (rows[1].Sex, rows[1].area), ('U', None))

feedback = {'ipno': RUN, 'roomno': '12', 'moblieno': '', 'dept': 'Nursing', 'needsimprovementcommit': TEXT}
receipt = call('FB_Push_Details', **feedback)
expect('FB_Push_Details', 'typed', (receipt.ResultCode, receipt.FeedbackID > 0, type(receipt.ReceivedOn)), (0, True, datetime))
again = call('FB_Push_Details', **feedback)
expect('FB_Push_Details', 'repeated', (again.ResultCode, again.FeedbackID), (1, receipt.FeedbackID))
expect_fault('FB_Push_Details', 'bad value', 'InvalidValue', None, 'ipno', **{**feedback, 'ipno': 'x' * 51})

message = call('Sent_SMS', Mobileno='9845012345', Message=RUN + TEXT, tempid=0, SMSmode=1)
expect('Sent_SMS', 'typed', (message.ResultCode, message.Mobileno, message.Encoding, message.Segments, message.Status),
       (0, '+919845012345', 'UCS-2', 1, 1))
expect_fault('Sent_SMS', 'refusal', 'Refused', 30, 'Mobileno', Mobileno='12', Message=TEXT, tempid=0, SMSmode=1)


def answers(operation, values):
    """Whether there is a result, or a refusal of a rule."""
    try:
        report(operation, 'example', call(operation, **values).ResultCode is not None)
    except zeep.exceptions.Fault as fault:
        text = etree.tostring(fault.detail).decode() if SOAP else fault.message.decode()
        report(operation, 'example', 'ResultCode>' in text, text)


for name, example in json.loads(os.environ['EXAMPLES']).items():
    answers(name, example)
