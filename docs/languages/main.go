// Signs a request to the mobility open platform and sends it.
// Protocol 1.0: the common fields and the signature are part of the body.
//
// Run it with the secret in the variable MOP_API_SECRET: go run main.go
package main

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
const url = "http://127.0.0.1:7800/open/v1/trade/bill"
const apiKey = "sandbox"
const requestBody = `{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}`

// field is a member of a JSON object; its value is compact JSON.
//
// A map would lose the order of the fields, and a float64 the digits of a number.
type field struct{ name, value string }

var (
	tokenPattern  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+`)
	escapePattern = regexp.MustCompile(`\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)`)
)

// readFields reads a JSON object.
func readFields(jsonText string) ([]field, error) {
	if !json.Valid([]byte(jsonText)) {
		return nil, errors.New("the body is not JSON")
	}
	tokens := tokenPattern.FindAllString(jsonText, -1)
	if tokens[0] != "{" {
		return nil, errors.New("the body is not a JSON object")
	}
	for i, token := range tokens {
		tokens[i] = escapePattern.ReplaceAllStringFunc(token, shortEscape)
	}

	var fields []field
	seen := map[string]bool{}
	for at := 1; at < len(tokens)-1; at++ { // past the comma
		name, err := textOf(tokens[at])
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, fmt.Errorf("the field %q occurs twice", name)
		}
		seen[name] = true
		at += 2 // past the colon
		start, depth := at, 0
		for ; depth > 0 || tokens[at] != "," && tokens[at] != "}"; at++ {
			switch tokens[at] {
			case "{", "[":
				depth++
			case "}", "]":
				depth--
			}
		}
		fields = append(fields, field{name, strings.Join(tokens[start:at], "")})
	}
	return fields, nil
}

// shortEscape writes a character as compact JSON does: most characters stay unescaped.
//
// json.Marshal would also escape <, >, & and U+2028.
func shortEscape(escape string) string {
	var text string
	if json.Unmarshal([]byte(`"`+escape+`"`), &text) != nil {
		return escape
	}
	// Unmarshal turns half a surrogate pair into U+FFFD. UTF-8 cannot encode it, so keep the escape.
	if text == "\uFFFD" && !strings.EqualFold(escape, `\ufffd`) {
		return strings.ToLower(escape)
	}
	return escaped(text)
}

// escaped writes the character of a string in compact JSON.
func escaped(character string) string {
	if at := strings.Index("\b\f\n\r\t\"\\", character); at >= 0 {
		return `\` + `bfnrt"\`[at:at+1]
	}
	if character < " " {
		return fmt.Sprintf(`\u%04x`, character[0])
	}
	return character
}

// quote writes a string as compact JSON.
func quote(text string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, character := range text {
		quoted.WriteString(escaped(string(character)))
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// jsonOf writes fields as a JSON object.
func jsonOf(fields []field) string {
	pairs := make([]string, len(fields))
	for i, field := range fields {
		pairs[i] = quote(field.name) + ":" + field.value
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

// textOf returns the text of a value in the signature: the characters of a string, the JSON of
// anything else.
func textOf(value string) (string, error) {
	if !strings.HasPrefix(value, `"`) {
		return value, nil
	}
	for _, escape := range escapePattern.FindAllString(value, -1) {
		if strings.HasPrefix(escape, `\ud`) {
			return "", errors.New("the body has half a surrogate pair")
		}
	}
	var text string
	err := json.Unmarshal([]byte(value), &text)
	return text, err
}

// signature returns the MD5 of the sorted name=value pairs and the secret, in upper-case hex.
func signature(fields []field, secret string) string {
	sorted := append([]field{}, fields...)
	sort.Slice(sorted, func(i, j int) bool { return lessByUTF16(sorted[i].name, sorted[j].name) })
	pairs := make([]string, len(sorted))
	for i, field := range sorted {
		pairs[i] = field.name + "=" + field.value
	}
	canonical := strings.Join(pairs, "&")
	return fmt.Sprintf("%X", md5.Sum([]byte(canonical+secret)))
}

// lessByUTF16 orders names by UTF-16 code unit. The operator < compares bytes of UTF-8, which puts an
// emoji after U+FFFD.
func lessByUTF16(a, b string) bool {
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

func newUUID() string {
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		panic(err)
	}
	id[6] = id[6]&0x0f | 0x40 // version 4
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func newNonce() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	nonce := make([]byte, 10)
	for i := range nonce {
		index, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet))))
		if err != nil {
			panic(err)
		}
		nonce[i] = alphabet[index.Int64()]
	}
	return string(nonce)
}

// signBody signs a request. It returns the JSON to send: the fields of jsonText in their order,
// missing common fields, and the signature.
func signBody(jsonText, apiKey, secret string) (string, error) {
	own, err := readFields(jsonText)
	if err != nil {
		return "", err
	}
	common := []field{
		{"api_key", quote(apiKey)},
		{"seq_id", quote(newUUID())},
		{"timestamp", strconv.FormatInt(time.Now().Unix(), 10)},
		{"nonce", quote(newNonce())},
	}
	missing := map[string]bool{}
	for _, field := range common {
		missing[field.name] = true
	}
	var fields []field
	for _, field := range own {
		if field.name == "sign" || field.value == "null" && missing[field.name] {
			continue
		}
		fields = append(fields, field)
		missing[field.name] = false
	}
	for _, field := range common {
		if missing[field.name] {
			fields = append(fields, field)
		}
	}

	var signed []field
	for _, sent := range fields {
		if sent.value == "null" {
			continue // null is sent and not signed
		}
		text, err := textOf(sent.value)
		if err != nil {
			return "", err
		}
		signed = append(signed, field{sent.name, text})
	}
	return jsonOf(append(fields, field{"sign", quote(signature(signed, secret))})), nil
}

// post sends a request. It returns the HTTP status and the answer.
func post(url, jsonText string, headers map[string]string) (int, []byte, error) {
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(jsonText))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		// Header.Set would send X-Tms-Api-Key, but the case of names is signed.
		request.Header[name] = []string{value}
	}
	client := http.Client{
		Timeout: 30 * time.Second,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment,
			// HTTP/2 would send names in lower case; an empty map keeps HTTP/1.1.
			TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
		},
		// A redirect would repeat the request as GET, without its body.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

func run() error {
	secret := os.Getenv("MOP_API_SECRET")
	if secret == "" {
		return errors.New("set MOP_API_SECRET to the API secret")
	}
	jsonText, err := signBody(requestBody, apiKey, secret)
	if err != nil {
		return err
	}
	status, answer, err := post(url, jsonText, nil)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n", answer)
	if status >= 400 {
		return fmt.Errorf("HTTP status %d", status)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
