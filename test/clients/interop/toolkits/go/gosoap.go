package main

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/tiaguinho/gosoap"
)

const wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"

// An element of a result: gosoap generates nothing.
type element struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

// An element without children is its text; children of one name are a list if their parent's name is theirs in plural.
func (parent element) plain() any {
	if len(parent.Children) == 0 {
		return parent.Text
	}
	fields := map[string]any{}
	for _, child := range parent.Children {
		name := child.XMLName.Local
		if parent.XMLName.Local == name+"s" {
			list, _ := fields[name].([]any)
			fields[name] = append(list, child.plain())
		} else {
			fields[name] = child.plain()
		}
	}
	return fields
}

// A fault, with the body in which it came.
type fault struct {
	error
	body []byte
}

func bodyOf(err error) []byte {
	body := err.(fault).body
	return append(append([]byte("<Envelope><Body>"), body...), "</Body></Envelope>"...)
}

// gosoap reads a fault only of an answer with status 200.
type readFaults struct{ http.RoundTripper }

func (next readFaults) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := next.RoundTripper.RoundTrip(request)
	if err == nil && answer.StatusCode == http.StatusInternalServerError {
		answer.StatusCode = http.StatusOK
	}
	return answer, err
}

func (asked call) do() (any, error) {
	if asked.LogIn == "UsernameToken digest" {
		return nil, lacks("gosoap has no digests")
	}
	client, err := gosoap.SoapClient(os.Getenv("WSDL"), &http.Client{Transport: readFaults{transport(func(request *http.Request) {
		if request.Method == http.MethodPost {
			request.URL, _ = url.Parse(endpoint)
		}
		if asked.LogIn == "API key" {
			request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
		}
	})}})
	if err != nil {
		return nil, fault{err, nil}
	}
	if asked.LogIn == "Basic" {
		client.Username, client.Password = os.Getenv("BASIC_USER"), os.Getenv("PASSWORD")
	}
	envelope := map[string]string{"xmlns:soap": "http://schemas.xmlsoap.org/soap/envelope/"}
	if asked.LogIn == "UsernameToken" {
		envelope["xmlns:wsse"] = wsse
		client.HeaderName = "wsse:Security"
		token := gosoap.HeaderParams{"wsse:Username": os.Getenv("TOKEN_USER"), "wsse:Password": os.Getenv("PASSWORD")}
		client.HeaderParams = gosoap.HeaderParams{"wsse:UsernameToken": token}
	}
	gosoap.SetCustomEnvelope("soap", envelope)
	parameters := gosoap.Params{}
	for name, value := range asked.Values {
		if value != nil {
			// gosoap writes an empty element for anything but a string.
			parameters[name] = fmt.Sprint(value)
		}
	}
	answer, err := client.Call(asked.Operation, parameters)
	if err != nil {
		return nil, fault{err, nil}
	}
	var response element
	if err := answer.Unmarshal(&response); err != nil {
		return nil, fault{err, answer.Body}
	}
	if len(response.Children) == 0 {
		return nil, nil
	}
	return response.Children[0].plain(), nil
}
