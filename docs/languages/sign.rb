# frozen_string_literal: true

# Signs a request to the mobility open platform and sends it.
# Protocol 1.0: the common fields and the signature are part of the body.
#
# Run it with the secret in the variable MOP_API_SECRET: ruby sign.rb

require 'digest'
require 'json'
require 'net/http'
require 'securerandom'
require 'strscan'
require 'uri'

URL = 'http://127.0.0.1:7800/open/v1/trade/bill'
# The sandbox: start it with `mop sandbox`, and set MOP_API_SECRET=sandbox-secret.
API_KEY = 'sandbox'
BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}'

# Reads a JSON object as pairs of a name and the compact JSON text of its value.
#
# JSON.parse would change the fields: it changes numbers such as 1e2 and -0, and keeps only the last
# of several fields with one name. It also accepts texts that are not JSON.
class JsonReader
  STRING = %r{"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u\h{4}))*"}
  SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/
  ESCAPE = /\\u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|\\u\h{4}|\\./

  def initialize(text)
    @scanner = StringScanner.new(text)
  end

  def fields
    raise ArgumentError, 'the body is not a JSON object' unless take(/\{/)

    pairs = members.map { |name, value| [JsonReader.text(name), value] }
    raise ArgumentError, 'unexpected text after the JSON object' if take(/./m)

    names = pairs.map(&:first)
    twice = names.find { |name| names.count(name) > 1 }
    raise ArgumentError, "the field #{twice.inspect} occurs twice" if twice

    pairs
  end

  # The characters of a JSON string.
  def self.text(string)
    # JSON.parse would replace half a surrogate pair, which UTF-8 cannot encode.
    half = string.scan(ESCAPE).any? { |escape| escape.match?(/\A\\ud/) }
    raise ArgumentError, 'the body has half a surrogate pair' if half

    JSON.parse(string)
  end

  private

  def take(pattern)
    @scanner.skip(/[ \t\r\n]*/)
    @scanner.scan(pattern)
  end

  def expect(pattern, token)
    found = take(pattern)
    raise ArgumentError, "the body is not JSON: no #{token} at byte #{@scanner.pos}" unless found

    found
  end

  def value
    return "{#{members.map { |pair| pair.join(':') }.join(',')}}" if take(/\{/)
    return "[#{items(/\]/) { value }.join(',')}]" if take(/\[/)

    take(SCALAR) || string
  end

  def members
    items(/\}/) do
      name = string
      expect(/:/, 'colon')
      [name, value]
    end
  end

  def items(close)
    list = []
    return list if take(close)

    loop do
      list << yield
      return list unless take(/,/) || !expect(close, 'comma or bracket')
    end
  end

  # A string in its shortest form, as JSON.generate writes it.
  def string
    expect(STRING, 'value').gsub(ESCAPE) do |escape|
      case escape
      when '\/' then '/'
      when /\A\\ud[89a-f]..\z/i then escape.downcase
      when /\A\\u/ then JSON.generate(JSON.parse("\"#{escape}\""))[1..-2]
      else escape
      end
    end
  end
end

# Writes pairs of a name and a JSON text as a JSON object.
def json_of(fields)
  "{#{fields.map { |name, value| "#{JSON.generate(name)}:#{value}" }.join(',')}}"
end

# The text of a value in the signature: the characters of a string, the JSON of anything else.
def text_of(value)
  value.start_with?('"') ? JsonReader.text(value) : value
end

# MD5 of the sorted name=value pairs and the secret, in upper-case hex.
def signature(pairs, secret)
  # Names are sorted by UTF-16 code unit. Ruby compares the bytes of UTF-8, which puts an emoji
  # after U+FFFD.
  sorted = pairs.sort_by { |name, _| name.encode('UTF-16BE').unpack('n*') }
  canonical = sorted.map { |name, text| "#{name}=#{text}" }.join('&')
  Digest::MD5.hexdigest(canonical + secret).upcase
end

# Signs a request. Returns the JSON to send: the fields of json_text in their order, missing common
# fields, and the signature.
def sign_body(json_text, api_key, secret)
  common = {
    'api_key' => JSON.generate(api_key),
    'seq_id' => JSON.generate(SecureRandom.uuid),
    'timestamp' => Time.now.to_i.to_s,
    'nonce' => JSON.generate(SecureRandom.alphanumeric(10))
  }
  fields = JsonReader.new(json_text).fields.reject do |name, value|
    name == 'sign' || (common.key?(name) && value == 'null')
  end
  fields += common.except(*fields.map(&:first)).to_a
  # Fields that are null are sent and not signed.
  signed = fields.reject { |_, value| value == 'null' }
                 .map { |name, value| [name, text_of(value)] }
  json_of([*fields, ['sign', JSON.generate(signature(signed, secret))]])
end

# Sends a request. Returns its response.
def post(url, json_text)
  uri = URI(url)
  request = Net::HTTP::Post.new(uri.request_uri, { 'Content-Type' => 'application/json' })
  request.body = json_text
  options = { use_ssl: uri.scheme == 'https', open_timeout: 30, read_timeout: 30 }
  Net::HTTP.start(uri.hostname, uri.port, **options) { |http| http.request(request) }
end

def main
  secret = ENV.fetch('MOP_API_SECRET', '')
  abort 'error: set MOP_API_SECRET to the API secret' if secret.empty?

  # Ruby takes the encoding of variables from the locale.
  secret = secret.dup.force_encoding('UTF-8')
  response = post(URL, sign_body(BODY, API_KEY, secret))
  puts response.body
  abort "error: HTTP status #{response.code}" if response.code.to_i >= 400
rescue StandardError => e
  abort "error: #{e.message}"
end

main if $PROGRAM_NAME == __FILE__
