"""Calls the service through pysimplesoap, which takes the first child of a request element in the WSDL for its type."""
import json
import os
from datetime import datetime

from pysimplesoap.client import SoapClient, SoapFault

DAY = datetime.fromisoformat(os.environ['DAY'])
RUN = os.environ['RUN']
TEXT = os.environ['TEXT']
client = SoapClient(wsdl=os.environ['WSDL'])


def call(operation, **values):
    return client.wsdl_call(operation, **values)[operation + 'Result']


def expect(operation, check, actual, expected):
    ok = actual == expected
    print(json.dumps({'operation': operation, 'transport': os.environ['TRANSPORT'], 'check': check, 'ok': ok,
                      'detail': '' if ok else f'{actual!r}, not {expected!r}'}))


expect('GetDoctor', 'typed', call('GetDoctor', centerid=1)['ResultCode'], 0)
booked = call('Fetch_Details', DoctorID=102, RegistrationNumber=RUN, app_date=DAY, app_time=DAY, title='Mrs', Name=TEXT, Sex='F',
              Age='34', area='', contactnumber='9845012345', email='', centerid=1)
expect('Fetch_Details', 'typed', (booked['ResultCode'], booked['app_time']), (0, DAY))
at = {'AppointmentID': booked['AppointmentID'], 'centerid': 1}
expect('Appointment_Status', 'typed', call('Appointment_Status', **at)['Status'], 2)
listed = call('OPAppointmentdetail', doctorid=102, appdate=DAY, centerid=1)
expect('OPAppointmentdetail', 'typed', listed['TotalCount'], 1)
changed = call('Appointment_Status_Updates', type=6, appdate=DAY, apptime=DAY, **at)
expect('Appointment_Status_Updates', 'typed', changed['Status'], 6)
feedback = call('FB_Push_Details', ipno=RUN, roomno='12', moblieno='', dept='Nursing', needsimprovementcommit=TEXT)
expect('FB_Push_Details', 'typed', feedback['ResultCode'], 0)
message = call('Sent_SMS', Mobileno='9845012345', Message=RUN, tempid=0, SMSmode=1)
expect('Sent_SMS', 'typed', message['ResultCode'], 0)
try:
    call('Appointment_Status', AppointmentID=999999, centerid=1)
    expect('Appointment_Status', 'refusal', 'no fault', 'a fault')
except SoapFault as fault:
    expect('Appointment_Status', 'refusal', fault.faultstring, 'Parameter AppointmentID: center 1 has no appointment 999999.')
