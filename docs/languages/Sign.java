import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Signs a request to the mobility open platform and sends it.
 * Protocol 1.0: the common fields and the signature are part of the body.
 *
 * <p>Run it with the secret in the variable MOP_API_SECRET: java Sign.java
 *
 * <p>Keep this file in ASCII: before Java 18, the charset of a source file depends on the locale.
 */
public class Sign {
    // The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
    private static final String URL = "http://127.0.0.1:7800/open/v1/trade/bill";
    private static final String API_KEY = "sandbox";
    private static final String BODY = "{\"bill_date\":\"2026-11-19\",\"bill_type\":0,\"tar_type\":1}";

    /** A member of a JSON object; its value is compact JSON. */
    private record Field(String name, String value) {}

    /**
     * Reads a JSON object. Numbers keep their text: a Double would print 1.0E10 for 1e10, and round
     * 19 digits.
     */
    private static final class JsonReader {
        private static final Pattern SCALAR = Pattern.compile(
                "true|false|null|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

        private final String text;
        private int at = 0;

        JsonReader(String text) {
            this.text = text;
        }

        List<Field> document() {
            List<Field> fields = object();
            skipSpace();
            if (at < text.length()) throw unexpected();
            Set<String> names = new HashSet<>();
            for (Field field : fields) {
                requireWholeCharacters(field.name);
                if (!names.add(field.name)) {
                    throw new IllegalArgumentException(
                            "the field " + quote(field.name) + " occurs twice");
                }
            }
            return fields;
        }

        private List<Field> object() {
            List<Field> fields = new ArrayList<>();
            expect('{');
            if (skip('}')) return fields;
            do {
                String name = string();
                expect(':');
                fields.add(new Field(name, value()));
            } while (skip(','));
            expect('}');
            return fields;
        }

        private String array() {
            List<String> items = new ArrayList<>();
            expect('[');
            if (skip(']')) return "[]";
            do {
                items.add(value());
            } while (skip(','));
            expect(']');
            return "[" + String.join(",", items) + "]";
        }

        private String value() {
            skipSpace();
            if (text.startsWith("\"", at)) return quote(string());
            if (text.startsWith("{", at)) return jsonOf(object());
            if (text.startsWith("[", at)) return array();
            Matcher scalar = SCALAR.matcher(text).region(at, text.length());
            if (!scalar.lookingAt()) throw unexpected();
            at = scalar.end();
            return scalar.group();
        }

        private String string() {
            expect('"');
            StringBuilder string = new StringBuilder();
            while (at < text.length()) {
                char next = text.charAt(at++);
                if (next == '"') return string.toString();
                if (next < ' ') break;
                string.append(next == '\\' ? escape() : next);
            }
            throw unexpected();
        }

        private char escape() {
            if (text.startsWith("u", at) && at + 5 <= text.length()) {
                at += 5;
                return (char) HexFormat.fromHexDigits(text, at - 4, at);
            }
            int index = at < text.length() ? "\"\\/bfnrt".indexOf(text.charAt(at++)) : -1;
            if (index < 0) throw unexpected();
            return "\"\\/\b\f\n\r\t".charAt(index);
        }

        private boolean skip(char wanted) {
            skipSpace();
            if (at == text.length() || text.charAt(at) != wanted) return false;
            at++;
            return true;
        }

        private void expect(char wanted) {
            if (!skip(wanted)) throw unexpected();
        }

        private void skipSpace() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        private IllegalArgumentException unexpected() {
            return new IllegalArgumentException(
                    "the body is not a JSON object: syntax error near character " + (at + 1));
        }
    }

    /** Writes fields as a JSON object. */
    private static String jsonOf(List<Field> fields) {
        return fields.stream()
                .map(field -> quote(field.name) + ":" + field.value)
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Writes a string as compact JSON: most characters stay unescaped, such as / and <. */
    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(character -> {
            int index = "\"\\\b\f\n\r\t".indexOf(character);
            if (index >= 0) {
                quoted.append('\\').append("\"\\bfnrt".charAt(index));
            } else if (character < ' ' || character >= 0xd800 && character <= 0xdfff) {
                // UTF-8 cannot encode half a surrogate pair, so it is escaped.
                quoted.append('\\').append('u').append(HexFormat.of().toHexDigits((char) character));
            } else {
                quoted.appendCodePoint(character);
            }
        });
        return quoted.append('"').toString();
    }

    /**
     * The text of a value in the signature: the characters of a string, the JSON of anything else.
     */
    private static String textOf(String value) {
        if (!value.startsWith("\"")) return value;
        String text = new JsonReader(value).string();
        requireWholeCharacters(text);
        return text;
    }

    /** Refuses half a surrogate pair: String.getBytes would write a question mark. */
    private static void requireWholeCharacters(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("the body has half a surrogate pair");
        }
    }

    /** MD5 of the sorted name=value pairs and the secret, in upper-case hex. */
    private static String signature(List<Field> fields, String secret) {
        // Names are sorted by UTF-16 code unit, as String.compareTo does; a Collator sorts
        // differently.
        String canonical = fields.stream()
                .sorted(Comparator.comparing(Field::name))
                .map(field -> field.name + "=" + field.value)
                .collect(Collectors.joining("&"));
        try {
            byte[] digest = MessageDigest.getInstance("MD5")
                    .digest((canonical + secret).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String newNonce() {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        StringBuilder nonce = new StringBuilder();
        new SecureRandom().ints(10, 0, alphabet.length())
                .forEach(index -> nonce.append(alphabet.charAt(index)));
        return nonce.toString();
    }

    /**
     * Signs a request. Returns the JSON to send: the fields of jsonText in their order, missing
     * common fields, and the signature.
     */
    static String signBody(String jsonText, String apiKey, String secret) {
        Map<String, String> common = new LinkedHashMap<>();
        common.put("api_key", quote(apiKey));
        common.put("seq_id", quote(UUID.randomUUID().toString()));
        common.put("timestamp", Long.toString(Instant.now().getEpochSecond()));
        common.put("nonce", quote(newNonce()));

        List<Field> fields = new JsonReader(jsonText).document();
        fields.removeIf(field -> field.name.equals("sign")
                || field.value.equals("null") && common.containsKey(field.name));
        fields.forEach(field -> common.remove(field.name));
        common.forEach((name, value) -> fields.add(new Field(name, value)));

        // Fields that are null are sent and not signed.
        List<Field> signed = fields.stream()
                .filter(field -> !field.value.equals("null"))
                .map(field -> new Field(field.name, textOf(field.value)))
                .toList();
        fields.add(new Field("sign", quote(signature(signed, secret))));
        return jsonOf(fields);
    }

    /**
     * Sends a request. HttpClient keeps the case of header names over HTTP/1.1; HTTP/2 sends them
     * in lower case.
     */
    private static HttpResponse<byte[]> post(String url, String jsonText, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(jsonText, StandardCharsets.UTF_8));
        headers.forEach(request::header);
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(30))
                .build();
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    public static void main(String[] args) throws InterruptedException {
        String secret = System.getenv("MOP_API_SECRET");
        if (secret == null || secret.isEmpty()) {
            fail("set MOP_API_SECRET to the API secret");
        }
        if (secret.contains("\ufffd")) {
            // Java decodes variables by the locale.
            fail("MOP_API_SECRET is not text in the charset of the locale: set LC_ALL=C.UTF-8");
        }
        try {
            String jsonText = signBody(BODY, API_KEY, secret);
            HttpResponse<byte[]> response = post(URL, jsonText, Map.of());
            System.out.writeBytes(response.body());
            System.out.println();
            if (response.statusCode() >= 400) fail("HTTP status " + response.statusCode());
        } catch (IOException | IllegalArgumentException error) {
            // Some exceptions of the network have no message.
            fail(error.getMessage() == null ? error.toString() : error.getMessage());
        }
    }

    private static void fail(String message) {
        System.err.println("error: " + message);
        System.exit(1);
    }
}
