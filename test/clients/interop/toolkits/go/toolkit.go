// A toolkit in Go, driven by ../drive.ts: reads one call per line of standard input, and prints what came of it. Its adapter has `call`
// and `bodyOf`, and the folder proxy what its generator wrote.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"time"
)

const namespace = "http://tempuri.org/"

var endpoint = os.Getenv("ENDPOINT")

// Means that the toolkit cannot do it, and says why.
type lacks string

func (reason lacks) Error() string { return string(reason) }

// The detail of a refusal, as in the proxies.
type serviceFault struct {
	Code       string
	ResultCode *int
	Parameter  *string
}

type call struct {
	Operation string
	Values    map[string]any
	LogIn     string
}

// The parameters in a request element.
func (asked call) element() []byte {
	var element bytes.Buffer
	element.WriteString("<" + asked.Operation + ` xmlns="` + namespace + `">`)
	for name, value := range asked.Values {
		if value != nil {
			element.WriteString("<" + name + ">")
			xml.EscapeText(&element, []byte(fmt.Sprint(value)))
			element.WriteString("</" + name + ">")
		}
	}
	element.WriteString("</" + asked.Operation + ">")
	return element.Bytes()
}

// Calls the method of a generated port, with the request of the type that it takes.
func (asked call) over(port any) (any, error) {
	method := reflect.ValueOf(port).MethodByName(asked.Operation)
	request := reflect.New(method.Type().In(0).Elem())
	if err := xml.Unmarshal(asked.element(), request.Interface()); err != nil {
		return nil, err
	}
	returned := method.Call([]reflect.Value{request})
	if err, failed := returned[1].Interface().(error); failed {
		return nil, err
	}
	if result := returned[0].Elem().FieldByName(asked.Operation + "Result"); result.IsValid() {
		return plain(result), nil
	}
	return nil, nil
}

// What JSON has for a value of a generated type.
func plain(value reflect.Value) any {
	if value.CanAddr() {
		if at, isTime := value.Addr().Interface().(interface{ ToGoTime() time.Time }); isTime {
			return at.ToGoTime().Format("2006-01-02T15:04:05")
		}
	}
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return plain(value.Elem())
	case reflect.Slice:
		list := []any{}
		for i := range value.Len() {
			list = append(list, plain(value.Index(i)))
		}
		return list
	case reflect.Struct:
		fields := map[string]any{}
		for i := range value.NumField() {
			fields[value.Type().Field(i).Name] = plain(value.Field(i))
		}
		return fields
	default:
		return value.Interface()
	}
}

// Trusts the issuer of the tests, and shows the client's certificate if it has to.
func tlsConfig() *tls.Config {
	config := &tls.Config{}
	if issuer, err := os.ReadFile(os.Getenv("CA")); err == nil {
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(issuer)
	}
	if os.Getenv("WITH_CERTIFICATE") != "" {
		certificate, _ := tls.LoadX509KeyPair(os.Getenv("CLIENT_CERT"), os.Getenv("CLIENT_KEY"))
		config.Certificates = []tls.Certificate{certificate}
	}
	return config
}

// Adds what the program itself has to put into each request, since its toolkit has no other way.
type transport func(*http.Request)

func (add transport) RoundTrip(request *http.Request) (*http.Response, error) {
	add(request)
	return (&http.Transport{TLSClientConfig: tlsConfig()}).RoundTrip(request)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked call
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		decoder.Decode(&asked)
		result, err := asked.do()
		answer := map[string]any{"result": result}
		var reason lacks
		if errors.As(err, &reason) {
			answer = map[string]any{"lacks": reason}
		} else if err != nil {
			answer = map[string]any{"error": err.Error()}
			var envelope struct {
				Fault11 *serviceFault `xml:"Body>Fault>detail>ServiceFault"`
				Fault12 *serviceFault `xml:"Body>Fault>Detail>ServiceFault"`
			}
			xml.Unmarshal(bodyOf(err), &envelope)
			for _, fault := range []*serviceFault{envelope.Fault11, envelope.Fault12} {
				if fault != nil {
					answer["fault"] = fault
				}
			}
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}
