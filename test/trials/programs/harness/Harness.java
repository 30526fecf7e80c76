import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Collectors;

/**
 * Signs cases with the functions of Sign.java; cases.ts describes its input and output. Programs of
 * one mode have only its functions: runtimes.ts removes each line with the other mode at its end.
 */
class Harness {
    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String[] fields = input.nextLine().split("\t", -1);
            for (int i = 0; i < fields.length; i++) {
                fields[i] = new String(Base64.getDecoder().decode(fields[i]), StandardCharsets.UTF_8);
            }
            try {
                System.out.println(signed(fields[0], fields[1], fields[2], fields[3]));
            } catch (RuntimeException error) {
                System.out.println("error\t" + encoded(error.getMessage()));
            }
        }
    }

    private static String signed(String body, String key, String secret, String lines) {
        Map<String, String> given = Arrays.stream(lines.split("\n"))
                .map(line -> line.split(": ", 2))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        return encoded(Sign.signBody(body, key, secret)); // body
        Sign.Signed signed = Sign.signHeaders(body, given, key, secret); // header
        String sent = signed.headers().entrySet().stream() // header
                .map(header -> header.getKey() + ": " + header.getValue()) // header
                .collect(Collectors.joining("\n")); // header
        return encoded(signed.jsonText()) + "\t" + encoded(sent); // header
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
