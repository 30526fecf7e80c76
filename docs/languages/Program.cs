// Signs a request to the mobility open platform and sends it.
// Protocol 1.0: the common fields and the signature are part of the body.
//
// Put it into a project (dotnet new console, .NET 8 or later), and run it with the secret in the
// variable MOP_API_SECRET: dotnet run

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>A member of a JSON object.</summary>
/// <param name="Json">Its value as compact JSON.</param>
/// <param name="Text">The signed form of its value: the characters of a string, else the JSON.</param>
internal sealed record Field(string Name, string Json, string Text);

internal static class Program
{
    // The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
    private const string Url = "http://127.0.0.1:7800/open/v1/trade/bill";
    private const string ApiKey = "sandbox";
    private const string Body = """{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}""";

    /// <summary>Reads a JSON object.</summary>
    private static List<Field> ReadFields(string jsonText)
    {
        // By default, more than 64 levels are refused.
        var options = new JsonDocumentOptions { MaxDepth = 1000 };
        using JsonDocument document = JsonDocument.Parse(jsonText, options);
        if (document.RootElement.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("the body is not a JSON object");
        }
        var fields = new List<Field>();
        var names = new HashSet<string>();
        foreach (JsonProperty property in document.RootElement.EnumerateObject())
        {
            // Name and GetString refuse half a surrogate pair.
            string name = property.Name;
            if (!names.Add(name))
            {
                throw new FormatException($"the field {Quote(name)} occurs twice");
            }
            JsonElement value = property.Value;
            string json = Compact(value.GetRawText());
            string text = value.ValueKind == JsonValueKind.String ? value.GetString()! : json;
            fields.Add(new Field(name, json, text));
        }
        return fields;
    }

    /// <summary>Writes JSON without white space and needless escapes.</summary>
    /// <remarks>
    /// Numbers keep their text: a double would print 1.0 as 1, and round 19 digits.
    /// </remarks>
    private static string Compact(string json)
    {
        return Regex.Replace(
            json,
            @"\s+|""((?:[^""\\]|\\.)*)""",
            token => token.Groups[1].Success ? Quote(Unescape(token.Groups[1].Value)) : "");
    }

    /// <summary>The characters of a JSON string, without its quotes.</summary>
    private static string Unescape(string escaped)
    {
        return Regex.Replace(escaped, @"\\(?:u(.{4})|(.))", escape =>
        {
            char character = escape.Groups[1].Success
                ? (char)Convert.ToInt32(escape.Groups[1].Value, 16)
                : "\"\\/\b\f\n\r\t"["\"\\/bfnrt".IndexOf(escape.Value[1])];
            return character.ToString();
        });
    }

    /// <summary>Writes a string as compact JSON: most characters stay unescaped.</summary>
    /// <remarks>
    /// JsonSerializer would escape +, &lt; and every non-ASCII character. With the encoder
    /// UnsafeRelaxedJsonEscaping it still escapes some characters, such as emoji.
    /// </remarks>
    private static string Quote(string text)
    {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.Length; i++)
        {
            char character = text[i];
            int index = "\"\\\b\f\n\r\t".IndexOf(character);
            if (index >= 0)
            {
                quoted.Append('\\').Append("\"\\bfnrt"[index]);
            }
            else if (char.IsSurrogatePair(text, i))
            {
                quoted.Append(character).Append(text[++i]);
            }
            else if (character < ' ' || char.IsSurrogate(character))
            {
                // UTF-8 cannot encode half a surrogate pair, so it is escaped.
                quoted.Append("\\u").Append(((int)character).ToString("x4"));
            }
            else
            {
                quoted.Append(character);
            }
        }
        return quoted.Append('"').ToString();
    }

    /// <summary>Writes fields as a JSON object.</summary>
    private static string JsonOf(IEnumerable<Field> fields)
    {
        return "{" + string.Join(",", fields.Select(field => $"{Quote(field.Name)}:{field.Json}")) + "}";
    }

    /// <summary>MD5 of the sorted name=value pairs and the secret, in upper-case hex.</summary>
    private static string Signature(IEnumerable<(string Name, string Text)> fields, string secret)
    {
        // Names are sorted by UTF-16 code unit. The default comparer has the order of the culture.
        IEnumerable<string> pairs = fields
            .OrderBy(field => field.Name, StringComparer.Ordinal)
            .Select(field => $"{field.Name}={field.Text}");
        string canonical = string.Join("&", pairs);
        return Convert.ToHexString(MD5.HashData(Encoding.UTF8.GetBytes(canonical + secret)));
    }

    private static string NewNonce()
    {
        const string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        return RandomNumberGenerator.GetString(alphabet, 10);
    }

    /// <summary>
    /// Signs a request. Returns the JSON to send: the fields of <paramref name="jsonText"/> in
    /// their order, missing common fields, and the signature.
    /// </summary>
    internal static string SignBody(string jsonText, string apiKey, string secret)
    {
        string seqId = Guid.NewGuid().ToString();
        string timestamp =
            DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture);
        string nonce = NewNonce();
        var common = new List<Field>
        {
            new Field("api_key", Quote(apiKey), apiKey),
            new Field("seq_id", Quote(seqId), seqId),
            new Field("timestamp", timestamp, timestamp),
            new Field("nonce", Quote(nonce), nonce),
        };
        List<Field> fields = ReadFields(jsonText);
        fields.RemoveAll(field => field.Name == "sign"
            || (field.Json == "null" && common.Exists(other => other.Name == field.Name)));
        common.RemoveAll(field => fields.Exists(other => other.Name == field.Name));
        fields.AddRange(common);

        // Fields that are null are sent and not signed.
        IEnumerable<(string, string)> signed = fields
            .Where(field => field.Json != "null")
            .Select(field => (field.Name, field.Text));
        string sign = Signature(signed, secret);
        fields.Add(new Field("sign", Quote(sign), sign));
        return JsonOf(fields);
    }

    /// <summary>Sends a request. Returns the HTTP status and the answer.</summary>
    /// <remarks>HttpClient keeps the case of header names, over HTTP/1.1, its default.</remarks>
    private static async Task<(int Status, byte[] Answer)> Post(
        string url, string jsonText, Dictionary<string, string> headers)
    {
        using var handler = new HttpClientHandler { AllowAutoRedirect = false };
        using var client = new HttpClient(handler) { Timeout = TimeSpan.FromSeconds(30) };
        using var request = new HttpRequestMessage(HttpMethod.Post, url);
        request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(jsonText));
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        foreach (KeyValuePair<string, string> header in headers)
        {
            request.Headers.TryAddWithoutValidation(header.Key, header.Value);
        }
        using HttpResponseMessage response = await client.SendAsync(request);
        byte[] answer = await response.Content.ReadAsByteArrayAsync();
        return ((int)response.StatusCode, answer);
    }

    private static async Task<int> Main()
    {
        string? secret = Environment.GetEnvironmentVariable("MOP_API_SECRET");
        if (string.IsNullOrEmpty(secret))
        {
            return Fail("set MOP_API_SECRET to the API secret");
        }
        try
        {
            string jsonText = SignBody(Body, ApiKey, secret);
            var headers = new Dictionary<string, string>();
            var (status, answer) = await Post(Url, jsonText, headers);
            using (Stream output = Console.OpenStandardOutput())
            {
                output.Write(answer, 0, answer.Length);
                output.WriteByte((byte)'\n');
            }
            return status < 400 ? 0 : Fail($"HTTP status {status}");
        }
        catch (Exception error) when (error is JsonException or FormatException or ArgumentException
            or InvalidOperationException or HttpRequestException or TaskCanceledException)
        {
            return Fail(error.Message);
        }
    }

    private static int Fail(string message)
    {
        Console.Error.WriteLine($"error: {message}");
        return 1;
    }
}
