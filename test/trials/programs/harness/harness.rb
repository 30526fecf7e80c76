# frozen_string_literal: true

# Signs cases with the functions of sign.rb; cases.ts describes its input and output.
require_relative 'sign'

def encoded(text)
  [text].pack('m0')
end

$stdin.each_line(chomp: true) do |line|
  body, api_key, secret, lines = line.split("\t", -1).map { |field| field.unpack1('m0').force_encoding('UTF-8') }
  if ARGV.first == 'body'
    puts encoded(sign_body(body, api_key, secret))
  else
    given = lines.split("\n").to_h { |header| header.split(': ', 2) }
    headers, json_text = sign_headers(body, given, api_key, secret)
    puts [json_text, headers.map { |header| header.join(': ') }.join("\n")].map { |text| encoded(text) }.join("\t")
  end
rescue StandardError => e
  puts "error\t#{encoded(e.message)}"
end
