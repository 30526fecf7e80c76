// A signer with the habits of Go programs. Reads jobs from stdin and writes the results to stdout.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/textproto"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

type job struct {
	Mode        string
	Secret      string
	OtherSecret string `json:"other_secret"`
	Headers     [][2]string
	Body        string
	Form        [][2]string
	Files       []file
	Habits      []string
}

type file struct{ Name, Filename, Content string }

type field struct {
	name  string
	value json.RawMessage
}

type pair [2]string

// A correct signer; a habit replaces or wraps one of its steps.
type signer struct {
	headerMode          bool
	secret, otherSecret string
	headers, business   []field
	files               []file
	keep                func(name string, value json.RawMessage) bool
	name                func(string) string
	null                string
	str                 func(string) string
	number              func(json.RawMessage) string
	boolean             func(bool) string
	nested              func(json.RawMessage) string
	text                func(json.RawMessage) string
	sort                func([]pair)
	join                func([]pair) string
	seal                func(string) string
	digest              func(src1 string) []byte
	format              string
	write               func([]byte) string
}

func newSigner(j job) *signer {
	s := &signer{headerMode: j.Mode == "header", secret: j.Secret, otherSecret: j.OtherSecret, files: j.Files}
	s.format = "%X"
	s.write = func(sum []byte) string { return fmt.Sprintf(s.format, sum) }
	for _, header := range j.Headers {
		if strings.HasPrefix(header[0], "X-TMS-") {
			s.headers = append(s.headers, field{header[0], quote(header[1])})
		}
	}
	if j.Body != "" {
		s.business = readFields(j.Body)
	}
	for _, part := range j.Form {
		s.business = append(s.business, field{part[0], quote(part[1])})
	}
	s.keep = func(_ string, value json.RawMessage) bool { return s.headerMode || string(value) != "null" }
	s.name = func(name string) string { return name }
	s.str = func(text string) string { return text }
	s.number = func(value json.RawMessage) string { return string(value) }
	s.boolean = strconv.FormatBool
	s.nested = compact
	s.text = func(value json.RawMessage) string {
		switch value[0] {
		case 'n':
			return s.null
		case 't', 'f':
			return s.boolean(value[0] == 't')
		case '"':
			var text string
			must(json.Unmarshal(value, &text))
			return s.str(text)
		case '{', '[':
			return s.nested(value)
		}
		return s.number(value)
	}
	s.sort = func(pairs []pair) {
		sort.Slice(pairs, func(i, k int) bool { return pairs[i][0] < pairs[k][0] })
	}
	s.join = func(pairs []pair) string {
		var parts []string
		for _, p := range pairs {
			parts = append(parts, p[0]+"="+p[1])
		}
		return strings.Join(parts, "&")
	}
	s.seal = func(src1 string) string { return src1 + s.secret }
	s.digest = func(src1 string) []byte {
		sum := md5.Sum([]byte(s.seal(src1)))
		return sum[:]
	}
	return s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func quote(text string) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(text))
	return bytes.TrimSpace(out.Bytes())
}

func compact(value json.RawMessage) string {
	var out bytes.Buffer
	must(json.Compact(&out, value))
	return out.String()
}

func anything(value json.RawMessage) any {
	var out any
	must(json.Unmarshal(value, &out))
	return out
}

// Returns the fields of an object in their order, which a map would lose.
func readFields(body string) (fields []field) {
	decoder := json.NewDecoder(strings.NewReader(body))
	_, err := decoder.Token()
	must(err)
	for decoder.More() {
		name, err := decoder.Token()
		must(err)
		var value json.RawMessage
		must(decoder.Decode(&value))
		fields = append(fields, field{name.(string), value})
	}
	return fields
}

// Marshals as encoding/json does: sorts the keys of maps and escapes <, > and &.
func marshal(value any) string {
	text, err := json.Marshal(value)
	must(err)
	return string(text)
}

func without(fields []field, names ...string) (rest []field) {
next:
	for _, f := range fields {
		for _, name := range names {
			if f.name == name {
				continue next
			}
		}
		rest = append(rest, f)
	}
	return rest
}

func isZero(value json.RawMessage) bool {
	switch string(value) {
	case `""`, "null", "0", "false", "[]", "{}":
		return true
	}
	return false
}

var titles = map[string]string{
	"api_key": "X-TMS-Api-Key", "seq_id": "X-TMS-Seq-Id", "timestamp": "X-TMS-Timestamp", "nonce": "X-TMS-Nonce",
}

var habits = map[string]func(*signer){
	// bufio's ReadString('\n') returns the delimiter as well
	"secret-read-string": func(s *signer) { s.secret += "\n" },
	"secret-of-staging":  func(s *signer) { s.secret = s.otherSecret },
	"secret-joined": func(s *signer) {
		s.seal = func(src1 string) string { return src1 + "&api_secret=" + s.secret }
	},
	// The documents misspell the name
	"sercret-joined": func(s *signer) {
		s.seal = func(src1 string) string { return src1 + "&api_sercret=" + s.secret }
	},
	"sercret-as-parameter": func(s *signer) {
		s.business = append(s.business, field{"api_sercret", quote(s.secret)})
		s.seal = func(src1 string) string { return src1 }
	},

	// A struct with `json:",omitempty"` on its fields drops zero values
	"omitempty": func(s *signer) {
		s.keep = func(_ string, value json.RawMessage) bool { return !isZero(value) }
	},
	// if value != ""
	"empty-string-dropped": func(s *signer) {
		s.keep = func(_ string, value json.RawMessage) bool { return string(value) != `""` && string(value) != "null" }
	},
	// A json.RawMessage that contains null
	"raw-null": func(s *signer) {
		s.keep = func(string, json.RawMessage) bool { return true }
		s.null = "null"
	},
	// A nil *string becomes ""
	"nil-pointer": func(s *signer) { s.keep = func(string, json.RawMessage) bool { return true } },
	"sign-empty":  func(s *signer) { s.business = append(s.business, field{"sign", quote("")}) },
	// http.Header already contains an empty X-TMS-Sign
	"sign-header-empty": func(s *signer) { s.headers = append(s.headers, field{"X-TMS-Sign", quote("")}) },
	"without-api-key":   func(s *signer) { s.business = without(s.business, "api_key") },
	"without-seq-and-nonce": func(s *signer) {
		s.business = without(s.business, "seq_id", "nonce")
	},
	"extra-header-unsigned": func(s *signer) { s.headers = without(s.headers, "X-TMS-Trace", "X-TMS-Channel") },
	"file-content": func(s *signer) {
		for _, f := range s.files {
			content, err := base64.StdEncoding.DecodeString(f.Content)
			must(err)
			s.business = append(s.business, field{f.Name, quote(string(content))})
		}
	},
	"other-protocol": func(s *signer) {
		var moved []field
		if s.headerMode {
			for name, title := range titles {
				for _, header := range s.headers {
					if header.name == title {
						moved = append(moved, field{name, header.value})
					}
				}
			}
			s.headers = nil
			s.keep = func(_ string, value json.RawMessage) bool { return string(value) != "null" }
		} else {
			for i, f := range s.business {
				if title, common := titles[f.name]; common {
					s.business[i].name = title
				}
			}
			moved = []field{{"X-TMS-Sign-Ver", quote("2.0")}}
			s.keep = func(string, json.RawMessage) bool { return true }
		}
		s.business = append(s.business, moved...)
	},

	// The fields of a struct, in the order of their declaration
	"struct-order": func(s *signer) { s.sort = func([]pair) {} },
	"equal-fold": func(s *signer) {
		s.sort = func(pairs []pair) {
			sort.SliceStable(pairs, func(i, k int) bool {
				return strings.ToLower(pairs[i][0]) < strings.ToLower(pairs[k][0])
			})
		}
	},
	// http.Header has only canonical names
	"canonical-headers": func(s *signer) {
		s.name = func(name string) string {
			if strings.HasPrefix(name, "X-TMS-") {
				return textproto.CanonicalMIMEHeaderKey(name)
			}
			return name
		}
	},

	// json.Marshal escapes <, > and & for HTML; a struct keeps its order, a map sorts its keys
	"marshal-struct": func(s *signer) {
		nested := s.nested
		s.nested = func(value json.RawMessage) string {
			var out bytes.Buffer
			json.HTMLEscape(&out, []byte(nested(value)))
			return out.String()
		}
	},
	"marshal-map": func(s *signer) {
		s.nested = func(value json.RawMessage) string { return marshal(anything(value)) }
	},
	"marshal-indent": func(s *signer) {
		s.nested = func(value json.RawMessage) string {
			var out bytes.Buffer
			must(json.Indent(&out, value, "", "\t"))
			return out.String()
		}
	},
	// json.Marshal for every value
	"marshal-every-value": func(s *signer) { s.str = func(text string) string { return string(quote(text)) } },
	// fmt.Sprintf("%v") of the value from json.Unmarshal
	"sprint-map": func(s *signer) {
		s.nested = func(value json.RawMessage) string { return fmt.Sprintf("%v", anything(value)) }
	},
	"sprint-float": func(s *signer) {
		s.number = func(value json.RawMessage) string { return fmt.Sprintf("%v", anything(value)) }
	},
	"format-float": func(s *signer) {
		s.number = func(value json.RawMessage) string {
			return strconv.FormatFloat(anything(value).(float64), 'f', -1, 64)
		}
	},
	"six-decimals": func(s *signer) {
		s.number = func(value json.RawMessage) string { return fmt.Sprintf("%f", anything(value)) }
	},
	"bits-for-booleans": func(s *signer) {
		s.boolean = func(value bool) string { return map[bool]string{true: "1", false: "0"}[value] }
	},
	"query-escape": func(s *signer) {
		text := s.text
		s.text = func(value json.RawMessage) string { return url.QueryEscape(text(value)) }
	},
	"path-escape": func(s *signer) {
		text := s.text
		s.text = func(value json.RawMessage) string { return url.PathEscape(text(value)) }
	},
	"html-escape": func(s *signer) {
		text := s.text
		s.text = func(value json.RawMessage) string { return html.EscapeString(text(value)) }
	},

	"hex-lower": func(s *signer) { s.format = "%x" },
	"hmac-md5": func(s *signer) {
		s.digest = func(src1 string) []byte {
			mac := hmac.New(md5.New, []byte(s.secret))
			mac.Write([]byte(src1))
			return mac.Sum(nil)
		}
	},
	"hmac-sha256": func(s *signer) {
		s.digest = func(src1 string) []byte {
			mac := hmac.New(sha256.New, []byte(s.secret))
			mac.Write([]byte(src1))
			return mac.Sum(nil)
		}
	},
	"sha1": func(s *signer) {
		s.digest = func(src1 string) []byte {
			sum := sha1.Sum([]byte(s.seal(src1)))
			return sum[:]
		}
	},

	// time.Now() is read for signing and again for sending
	"clock-read-twice": func(s *signer) {
		signedAs(s.headers, "X-TMS-Timestamp", func(value json.RawMessage) json.RawMessage {
			seconds, err := strconv.Atoi(anything(value).(string))
			must(err)
			return quote(strconv.Itoa(seconds - 2))
		})
	},
	// The version of the client is signed, not the version of the protocol
	"version-v2": func(s *signer) {
		signedAs(s.headers, "X-TMS-Sign-Ver", func(json.RawMessage) json.RawMessage { return quote("v2.0") })
	},
	// The names of a struct without tags
	"struct-names": func(s *signer) {
		s.name = func(name string) string {
			var out string
			for _, word := range strings.Split(name, "_") {
				out += strings.ToUpper(word[:1]) + word[1:]
			}
			return out
		}
	},
	"values-only": func(s *signer) {
		s.join = func(pairs []pair) string {
			var out strings.Builder
			for _, p := range pairs {
				out.WriteString(p[1])
			}
			return out.String()
		}
	},
	// fmt.Sprint of the map
	"sprint-params": func(s *signer) {
		s.join = func(pairs []pair) string {
			params := map[string]string{}
			for _, p := range pairs {
				params[p[0]] = p[1]
			}
			return fmt.Sprint(params)
		}
	},
	"secret-upper": func(s *signer) {
		s.seal = func(src1 string) string { return src1 + strings.ToUpper(s.secret) }
	},
	"time-format": func(s *signer) {
		signedAs(s.business, "start", func(value json.RawMessage) json.RawMessage {
			moment, err := time.Parse(`"2006-01-02T15:04:05"`, string(value))
			must(err)
			return quote(moment.Format(time.RFC3339))
		})
	},
	// strconv.FormatFloat(lon, 'f', 6, 64) for one field
	"six-decimals-of-one": func(s *signer) {
		signedAs(s.business, "lon", func(value json.RawMessage) json.RawMessage {
			return json.RawMessage(strconv.FormatFloat(anything(value).(float64), 'f', 6, 64))
		})
	},
	"raw-url-encoding": func(s *signer) { s.write = base64.RawURLEncoding.EncodeToString },
}

// Signs a field with a value that differs from the one sent.
func signedAs(fields []field, name string, change func(json.RawMessage) json.RawMessage) {
	for i := range fields {
		if fields[i].name == name {
			fields[i].value = change(fields[i].value)
		}
	}
}

func (s *signer) sign() map[string]any {
	pairs := []pair{}
	for _, f := range append(s.headers, s.business...) {
		if s.keep(f.name, f.value) {
			pairs = append(pairs, pair{s.name(f.name), s.text(f.value)})
		}
	}
	s.sort(pairs)
	src1 := s.join(pairs)
	return map[string]any{"canonical": src1, "sign": s.write(s.digest(src1))}
}

func main() {
	var jobs []job
	must(json.NewDecoder(os.Stdin).Decode(&jobs))
	results := []any{}
	for _, j := range jobs {
		s := newSigner(j)
		for _, name := range j.Habits {
			habits[name](s)
		}
		results = append(results, s.sign())
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}
