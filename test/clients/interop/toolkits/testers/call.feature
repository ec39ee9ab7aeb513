@ignore
Feature: a call over the transport of this run, with the envelope or the form that a tester writes

Scenario:
  * def transport = java.lang.System.getenv('TRANSPORT')
  * def endpoint = java.lang.System.getenv('ENDPOINT')
  * def isForm = transport.startsWith('http')
  * def isSoap12 = transport == 'soap12'
  * def names = Object.keys(values)
  * def form = names.map(x => x + '=' + encodeURIComponent(values[x])).join('&')
  * def action = 'http://tempuri.org/' + operation
  * def elements = names.map(x => '<' + x + '>' + values[x] + '</' + x + '>').join('')
  * def namespace = isSoap12 ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
  * def envelope = '<s:Envelope xmlns:s="' + namespace + '"><s:Body><' + operation + ' xmlns="http://tempuri.org/">' + elements + '</' + operation + '></s:Body></s:Envelope>'
  * def soapType = isSoap12 ? 'application/soap+xml; charset=utf-8; action="' + action + '"' : 'text/xml; charset=utf-8'
  * url endpoint + (isForm ? '/' + operation : '') + (transport == 'httpGet' ? '?' + form : '')
  * if (transport != 'httpGet') karate.set('headers', { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : soapType, SOAPAction: '"' + action + '"' })
  * configure headers = karate.get('headers')
  * request transport == 'httpGet' ? '' : isForm ? form : envelope
  * def verb = transport == 'httpGet' ? 'get' : 'post'
  * method verb
  * string text = response
