import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Collator;
import java.text.Normalizer;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A signer with the habits of Java programs. Reads jobs from stdin and writes the results to stdout. */
@SuppressWarnings("unchecked")
public class Signer {
    private interface Digester {
        byte[] digest(String src1) throws GeneralSecurityException;
    }

    private final boolean headerMode;
    private String secret;
    private final String otherSecret;
    private final Map<String, Object> headers = new LinkedHashMap<>();
    private final Map<String, Object> business = new LinkedHashMap<>();
    private final List<Map<String, String>> files;
    private Charset charset = StandardCharsets.UTF_8;

    // The steps of a correct signer; a habit replaces or wraps one of them.
    private BiPredicate<String, Object> keep;
    private UnaryOperator<String> name = UnaryOperator.identity();
    private String nothing = "";
    private UnaryOperator<String> string = UnaryOperator.identity();
    private Function<Object, String> number = String::valueOf;
    private Function<Object, String> nested = Signer::toJson;
    private Function<Object, String> text = this::textOf;
    private UnaryOperator<Map<String, String>> sort = TreeMap::new;
    private Function<Map<String, String>, String> join = Signer::joined;
    private UnaryOperator<String> seal = src1 -> src1 + secret;
    private Function<String, byte[]> encode = characters -> characters.getBytes(charset);
    private Digester digest = src1 -> MessageDigest.getInstance("MD5").digest(encode.apply(seal.apply(src1)));
    private Function<byte[], String> hex = bytes -> hexOf(bytes).toUpperCase();

    private Signer(Map<String, Object> job) {
        headerMode = job.get("mode").equals("header");
        secret = (String) job.get("secret");
        otherSecret = (String) job.get("other_secret");
        keep = (field, value) -> headerMode || value != null;
        for (Object header : (List<?>) job.get("headers")) {
            putPair(headers, header);
        }
        headers.keySet().removeIf(header -> !header.startsWith("X-TMS-"));
        if (job.get("body") != null) {
            business.putAll((Map<String, Object>) Json.parse((String) job.get("body")));
        } else {
            ((List<?>) job.get("form")).forEach(part -> putPair(business, part));
        }
        files = (List<Map<String, String>>) job.getOrDefault("files", List.of());
    }

    private static void putPair(Map<String, Object> map, Object pair) {
        map.put((String) ((List<?>) pair).get(0), ((List<?>) pair).get(1));
    }

    private String textOf(Object value) {
        if (value == null) {
            return nothing;
        }
        if (value instanceof String characters) {
            return string.apply(characters);
        }
        if (value instanceof Number) {
            return number.apply(value);
        }
        return value instanceof Boolean ? value.toString() : nested.apply(value);
    }

    private static String joined(Map<String, String> pairs) {
        return pairs.entrySet().stream().map(Object::toString).collect(Collectors.joining("&"));
    }

    /** Imitates fastjson's toJSONString: keeps the order of each map and leaves out null members. */
    private static String toJson(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .filter(entry -> entry.getValue() != null)
                    .map(entry -> toJson(entry.getKey()) + ":" + toJson(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(Signer::toJson).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String characters ? quoted(characters) : String.valueOf(value);
    }

    private static String quoted(String characters) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : characters.toCharArray()) {
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c < ' ' ? String.format("\\u%04x", (int) c) : c);
            }
        }
        return out.append('"').toString();
    }

    /** Converts every map to a HashMap, as returned by an untyped parser. */
    private static Object hashed(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> out = new HashMap<>();
            map.forEach((key, item) -> out.put(key, hashed(item)));
            return out;
        }
        return value instanceof List<?> list ? list.stream().map(Signer::hashed).toList() : value;
    }

    /** Converts numbers to double: all of them, as Gson does, or only those with a point, as Jackson does. */
    private static Object doubled(Object value, boolean integersToo) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> out = new LinkedHashMap<>();
            map.forEach((key, item) -> out.put(key, doubled(item, integersToo)));
            return out;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(item -> doubled(item, integersToo)).toList();
        }
        boolean changes = value instanceof BigDecimal || integersToo && value instanceof BigInteger;
        return changes ? (Object) ((Number) value).doubleValue() : value;
    }

    private static String hexOf(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) {
            out.append(String.format("%02x", b));
        }
        return out.toString();
    }

    private static String htmlEscaped(String value) {
        return value.replace("&", "&amp;").replace("\"", "&quot;").replace("'", "&#39;")
                .replace("<", "&lt;").replace(">", "&gt;");
    }

    private void afterText(UnaryOperator<String> change) {
        Function<Object, String> inner = text;
        text = value -> change.apply(inner.apply(value));
    }

    private void afterNested(UnaryOperator<String> change) {
        nested = nested.andThen(change);
    }

    private void digestWith(String algorithm) {
        digest = src1 -> MessageDigest.getInstance(algorithm).digest(seal.apply(src1).getBytes(charset));
    }

    private void hmacWith(String algorithm) {
        digest = src1 -> {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
            return mac.doFinal(src1.getBytes(charset));
        };
    }

    private void sortIn(Map<String, String> sorted) {
        sort = pairs -> {
            sorted.putAll(pairs);
            return sorted;
        };
    }

    private static final Map<String, String> TITLES =
            Map.of("api_key", "Api-Key", "seq_id", "Seq-Id", "timestamp", "Timestamp", "nonce", "Nonce");

    private void otherProtocol() {
        TITLES.forEach((common, title) -> {
            if (headerMode) {
                business.put(common, headers.get("X-TMS-" + title));
            } else {
                headers.put("X-TMS-" + title, business.remove(common));
            }
        });
        if (headerMode) {
            headers.clear();
        } else {
            headers.put("X-TMS-Sign-Ver", "2.0");
        }
        keep = (field, value) -> !headerMode || value != null;
    }

    /** Signs a field or header with a value that differs from the one sent. */
    private void signedAs(String field, UnaryOperator<Object> change) {
        headers.computeIfPresent(field, (name, value) -> change.apply(value));
        business.computeIfPresent(field, (name, value) -> change.apply(value));
    }

    /** Encodes as DataOutputStream.writeUTF does: each half of a surrogate pair separately. */
    private static byte[] modifiedUtf8(String characters) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            new DataOutputStream(out).writeUTF(characters);
            return Arrays.copyOfRange(out.toByteArray(), 2, out.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final Map<String, Consumer<Signer>> HABITS = new HashMap<>();

    static {
        // A .properties file keeps the space at the end of a line
        HABITS.put("secret-properties", s -> s.secret += " ");
        HABITS.put("secret-of-staging", s -> s.secret = s.otherSecret);
        HABITS.put("ampersand-joined", s -> s.seal = src1 -> src1 + "&" + s.secret);
        // for (entry) append(name + "=" + value + "&"), then "key=" + secret
        HABITS.put("key-joined", s -> s.seal = src1 -> src1 + "&key=" + s.secret);
        HABITS.put("secret-as-parameter", s -> {
            s.business.put("api_secret", s.secret);
            s.seal = src1 -> src1;
        });

        // StringUtils.isNotEmpty(String.valueOf(value)) after null was left out
        HABITS.put("is-not-empty", s -> s.keep = (name, value) -> value != null && !value.equals(""));
        // A mapper that leaves null out
        HABITS.put("non-null", s -> s.keep = (name, value) -> value != null);
        // String.valueOf((Object) null)
        HABITS.put("value-of-null", s -> {
            s.keep = (name, value) -> true;
            s.nothing = "null";
        });
        // Objects.toString(value, "")
        HABITS.put("null-to-empty", s -> s.keep = (name, value) -> true);
        // The bean has a field sign that is still null
        HABITS.put("sign-null", s -> s.business.put("sign", "null"));
        HABITS.put("sign-header-empty", s -> s.headers.put("X-TMS-Sign", ""));
        HABITS.put("without-commons", s -> s.business.keySet().removeAll(List.of("seq_id", "timestamp", "nonce")));
        // Reflection over the fields of the bean skips those that are objects
        HABITS.put("scalars-only", s -> s.business.values().removeIf(v -> v instanceof Map || v instanceof List));
        HABITS.put("documented-headers", s -> s.headers.keySet().retainAll(
                List.of("X-TMS-Sign-Ver", "X-TMS-Api-Key", "X-TMS-Timestamp", "X-TMS-Seq-Id")));
        HABITS.put("file-name", s -> s.files.forEach(file -> s.business.put(file.get("name"), file.get("filename"))));
        HABITS.put("file-content", s -> s.files.forEach(file -> s.business.put(
                file.get("name"), new String(Base64.getDecoder().decode(file.get("content")), s.charset))));
        HABITS.put("other-protocol", Signer::otherProtocol);

        // The order of a HashMap, and of a LinkedHashMap
        HABITS.put("hash-map", s -> s.sortIn(new HashMap<>()));
        HABITS.put("linked-hash-map", s -> s.sortIn(new LinkedHashMap<>()));
        HABITS.put("case-insensitive-order", s -> s.sortIn(new TreeMap<>(String.CASE_INSENSITIVE_ORDER)));
        HABITS.put("collator", s -> s.sortIn(new TreeMap<>(Collator.getInstance(Locale.ENGLISH)::compare)));
        // Servlet containers and HTTP/2 clients write header names in lower case
        HABITS.put("servlet-headers", s -> s.name = name -> name.startsWith("X-TMS-") ? name.toLowerCase() : name);

        HABITS.put("nested-hash-map", s -> s.nested = value -> toJson(hashed(value)));
        // Map.toString(): {name=…, mobile=…}
        HABITS.put("map-to-string", s -> s.nested = String::valueOf);
        // Jackson's ESCAPE_NON_ASCII and fastjson's BrowserCompatible write \\u4E2D in upper case
        HABITS.put("browser-compatible", s -> s.afterNested(json -> json.chars()
                .mapToObj(c -> c < 0x80 ? String.valueOf((char) c) : String.format("\\u%04X", c))
                .collect(Collectors.joining())));
        // fastjson's WriteSlashAsSpecial
        HABITS.put("slash-as-special", s -> s.afterNested(json -> json.replace("/", "\\/")));
        HABITS.put("json-every-value", s -> s.string = Signer::quoted);
        // Double.toString: 1.0E7, and 30.10 becomes 30.1
        HABITS.put("double-to-string", s -> {
            s.number = value -> String.valueOf(doubled(value, false));
            s.nested = value -> toJson(doubled(value, false));
        });
        // Gson without types: every number is a Double
        HABITS.put("gson-double", s -> s.number = value -> String.valueOf(doubled(value, true)));
        HABITS.put("strip-zeros", s -> s.number = value -> value instanceof BigDecimal decimal
                ? decimal.stripTrailingZeros().toPlainString()
                : String.valueOf(value));
        HABITS.put("url-encoder", s -> s.afterText(value -> URLEncoder.encode(value, s.charset)));
        HABITS.put("url-encoded-whole", s -> {
            Function<Map<String, String>, String> inner = s.join;
            s.join = pairs -> URLEncoder.encode(inner.apply(pairs), s.charset);
        });
        HABITS.put("html-utils", s -> s.afterText(Signer::htmlEscaped));
        HABITS.put("nfc", s -> s.afterText(value -> Normalizer.normalize(value, Normalizer.Form.NFC)));
        // String.lines() and System.lineSeparator()
        HABITS.put("line-separator", s -> s.string = value -> value.lines().collect(Collectors.joining("\n")));

        HABITS.put("get-bytes-gbk", s -> s.charset = Charset.forName("GBK"));
        HABITS.put("get-bytes-latin1", s -> s.charset = StandardCharsets.ISO_8859_1);
        HABITS.put("big-integer", s -> s.hex = bytes -> new BigInteger(1, bytes).toString(16));
        HABITS.put("hmac-md5", s -> s.hmacWith("HmacMD5"));
        HABITS.put("sha1", s -> s.digestWith("SHA-1"));
        HABITS.put("sha256", s -> s.digestWith("SHA-256"));

        // System.currentTimeMillis() is read again for sending
        HABITS.put("clock-read-twice", s -> s.signedAs(
                "timestamp", seconds -> ((BigInteger) seconds).subtract(BigInteger.ONE)));
        // Fields of the base class have the names of bean properties
        HABITS.put("bean-names", s -> s.name = name ->
                name.equals("api_key") ? "apiKey" : name.equals("seq_id") ? "seqId" : name);
        // Map.toString() of the whole TreeMap
        HABITS.put("tree-map-to-string", s -> s.join = Object::toString);
        HABITS.put("modified-utf8", s -> s.encode = Signer::modifiedUtf8);
        // new Date().toString() in China
        HABITS.put("date-to-string", s -> s.signedAs("start", value -> Date.from(
                LocalDateTime.parse((String) value).atZone(ZoneId.systemDefault()).toInstant()).toString()));
        // One property of the bean is a Double
        HABITS.put("seats-double", s -> s.signedAs("seats", value -> ((Number) value).doubleValue()));
        HABITS.put("big-integer-short", s -> s.hex = bytes -> new BigInteger(1, bytes).toString(16).toUpperCase());
    }

    private Map<String, Object> sign() throws GeneralSecurityException {
        Map<String, Object> fields = new LinkedHashMap<>(headers);
        fields.putAll(business);
        Map<String, String> pairs = new LinkedHashMap<>();
        fields.forEach((field, value) -> {
            if (keep.test(field, value)) {
                pairs.put(name.apply(field), text.apply(value));
            }
        });
        String src1 = join.apply(sort.apply(pairs));
        return Map.of("canonical", src1, "sign", hex.apply(digest.digest(src1)));
    }

    /** A minimal JSON parser: maps keep their order, numbers are BigInteger or BigDecimal. */
    private static final class Json {
        private final String text;
        private int at = 0;

        private Json(String text) {
            this.text = text;
        }

        static Object parse(String text) {
            return new Json(text).value();
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private boolean skip(char wanted) {
            boolean found = next() == wanted;
            at += found ? 1 : 0;
            return found;
        }

        private Object value() {
            return switch (next()) {
                case '{' -> map();
                case '[' -> list();
                case '"' -> string();
                default -> word();
            };
        }

        private Map<String, Object> map() {
            Map<String, Object> out = new LinkedHashMap<>();
            for (at++; !skip('}'); skip(',')) {
                next();
                String key = string();
                skip(':');
                out.put(key, value());
            }
            return out;
        }

        private List<Object> list() {
            List<Object> out = new ArrayList<>();
            for (at++; !skip(']'); skip(',')) {
                out.add(value());
            }
            return out;
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> Boolean.valueOf(word);
                default -> word.matches("-?\\d+") ? new BigInteger(word) : (Object) new BigDecimal(word);
            };
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                out.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
            }
            at++;
            return out.toString();
        }

        private char escaped() {
            char c = text.charAt(++at);
            if (c == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
            int known = "bfnrt".indexOf(c);
            return known < 0 ? c : "\b\f\n\r\t".charAt(known);
        }
    }

    public static void main(String[] arguments) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Shanghai"));
        String input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        List<Object> results = new ArrayList<>();
        for (Object job : (List<?>) Json.parse(input)) {
            Signer signer = new Signer((Map<String, Object>) job);
            for (Object habit : (List<?>) ((Map<?, ?>) job).get("habits")) {
                HABITS.get(habit).accept(signer);
            }
            results.add(signer.sign());
        }
        System.out.write(toJson(results).getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
