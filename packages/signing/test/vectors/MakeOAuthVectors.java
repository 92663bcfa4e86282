/*
 * Makes oauth-java.json: whole OAuth headers, by the Java class library and nothing of this package.
 *
 *   java MakeOAuthVectors.java > oauth-java.json     (Java 17)
 *
 * Run it in this folder; it reads rsa-test-key.pem. Percent-encoding is written out from RFC 5849 section 3.6, sorting from
 * section 3.4.1.3.2; HMAC is javax.crypto's, RSA java.security's.
 */
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class MakeOAuthVectors {
  record Pair(String name, String value) {}

  record Request(String name, String url, String query, List<Pair> form, String key, String token, String tokenSecret) {}

  static final String CONSUMER = "merchant";
  static final long TIMESTAMP = 1669966913L;

  static String encode(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      int value = each & 0xff;
      boolean plain = value < 128 && (Character.isLetterOrDigit(value) || "-._~".indexOf(value) >= 0);
      encoded.append(plain ? String.valueOf((char) value) : String.format("%%%02X", value));
    }
    return encoded.toString();
  }

  static String baseString(Request request, List<Pair> oauth) {
    List<String[]> encoded = new ArrayList<>();
    List<Pair> all = new ArrayList<>(request.form());
    all.addAll(oauth);
    for (String piece : request.query().split("&")) {
      if (piece.isEmpty()) continue;
      String[] sides = piece.split("=", 2);
      all.add(new Pair(decode(sides[0]), sides.length > 1 ? decode(sides[1]) : ""));
    }
    for (Pair pair : all) encoded.add(new String[] {encode(pair.name()), encode(pair.value())});
    // Encoded text is ASCII, so the order of Java's characters is that of bytes.
    encoded.sort((a, b) -> a[0].equals(b[0]) ? a[1].compareTo(b[1]) : a[0].compareTo(b[0]));
    String joined = encoded.stream().map(pair -> pair[0] + "=" + pair[1]).collect(Collectors.joining("&"));
    URI uri = URI.create(request.url());
    String scheme = uri.getScheme().toLowerCase();
    int port = uri.getPort();
    boolean isDefault = port == -1 || (scheme.equals("https") && port == 443) || (scheme.equals("http") && port == 80);
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String address = scheme + "://" + uri.getHost().toLowerCase() + (isDefault ? "" : ":" + port) + path;
    return "POST&" + encode(address) + "&" + encode(joined);
  }

  static String decode(String text) {
    return java.net.URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  static byte[] sign(String method, Request request, String text) throws Exception {
    byte[] data = text.getBytes(StandardCharsets.UTF_8);
    if (method.equals("HMAC-SHA1")) {
      Mac mac = Mac.getInstance("HmacSHA1");
      String key = encode(request.key()) + "&" + encode(request.tokenSecret() == null ? "" : request.tokenSecret());
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
      return mac.doFinal(data);
    }
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(privateKey());
    signature.update(data);
    return signature.sign();
  }

  static PrivateKey privateKey() throws Exception {
    String pem = Files.readString(Path.of("rsa-test-key.pem")).replaceAll("-----[A-Z ]+-----|\\s", "");
    return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
  }

  static String json(String text) {
    StringBuilder written = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each == '"' || each == '\\') written.append('\\').append(each);
      else if (each < 32 || each > 126) written.append(String.format("\\u%04x", (int) each));
      else written.append(each);
    }
    return written.append('"').toString();
  }

  static String vector(String method, Request request) throws Exception {
    String nonce = "java-" + Integer.toHexString(request.name().hashCode());
    List<Pair> oauth = new ArrayList<>();
    oauth.add(new Pair("oauth_consumer_key", CONSUMER));
    oauth.add(new Pair("oauth_nonce", nonce));
    oauth.add(new Pair("oauth_signature_method", method));
    oauth.add(new Pair("oauth_timestamp", String.valueOf(TIMESTAMP)));
    if (request.token() != null) oauth.add(new Pair("oauth_token", request.token()));
    oauth.add(new Pair("oauth_version", "1.0"));
    String text = baseString(request, oauth);
    String signature = Base64.getEncoder().encodeToString(sign(method, request, text));
    oauth.add(new Pair("oauth_signature", signature));
    String header =
        oauth.stream().map(pair -> pair.name() + "=\"" + encode(pair.value()) + "\"").collect(Collectors.joining(", "));
    String form =
        request.form().stream()
            .map(pair -> "[" + json(pair.name()) + "," + json(pair.value()) + "]")
            .collect(Collectors.joining(","));
    String url = request.url() + (request.query().isEmpty() ? "" : "?" + request.query());
    return "{\"name\":" + json(request.name())
        + ",\"source\":\"MakeOAuthVectors.java: javax.crypto.Mac, java.security.Signature\""
        + ",\"input\":{\"method\":" + json(method) + ",\"url\":" + json(url) + ",\"parameters\":[" + form + "]"
        + ",\"consumerKey\":" + json(CONSUMER) + ",\"nonce\":" + json(nonce) + ",\"timestamp\":" + TIMESTAMP
        + ",\"controlKey\":" + json(request.key())
        + (request.token() == null ? "" : ",\"token\":" + json(request.token()))
        + (request.tokenSecret() == null ? "" : ",\"tokenSecret\":" + json(request.tokenSecret()))
        + "},\"expected\":{\"baseString\":" + json(text) + ",\"signature\":" + json(signature)
        + ",\"header\":" + json("OAuth " + header) + "}}";
  }

  public static void main(String[] arguments) throws Exception {
    String payout = "https://gate.example/paynet/api/v2/payout/39";
    String key = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20";
    List<Request> requests = List.of(
        new Request("a payout", payout, "", List.of(new Pair("client_orderid", "payout-1"), new Pair("amount", "10.00")), key, null, null),
        new Request("every reserved character", payout, "", List.of(new Pair("order_desc", "!\"#$%&'()*+,/:;<=>?@[\\]^`{|} ~-._")), key, null, null),
        new Request("beyond ASCII", payout, "", List.of(new Pair("order_desc", "Bücher für Łódź — 東京 💶")), key, null, null),
        new Request("names of all kinds", payout, "", List.of(new Pair("__proto__", "1"), new Pair("", "2"), new Pair("constructor", ""), new Pair("é", "3"), new Pair("Z", "4"), new Pair("a b", "5")), key, null, null),
        new Request("repeated names, sorted by value", payout, "", List.of(new Pair("a", "b"), new Pair("a", "B"), new Pair("a", ""), new Pair("a", "b"), new Pair("a", "~"), new Pair("a", " ")), key, null, null),
        new Request("a query that is form-decoded", payout, "b=x+y&a=%2B&a=%2b&c&=empty&d=%C3%A9", List.of(new Pair("a", "1")), key, null, null),
        new Request("capitals, a default port and no path", "HTTPS://GATE.Example:443", "", List.of(new Pair("a", "1")), key, null, null),
        new Request("another port and escapes in the path", "http://gate.example:8080/pay%7Enet/a%2fb//C;v=1", "", List.of(new Pair("a", "1")), key, null, null),
        new Request("an IPv6 host", "https://[2001:db8::1]:8443/paynet", "", List.of(new Pair("a", "1")), key, null, null),
        new Request("secrets that need encoding, and a token", payout, "", List.of(new Pair("a", "1")), "k & é/+", "tok en", "t/s&=~"),
        new Request("nothing but the protocol's own parameters", payout, "", List.of(), key, null, null),
        new Request("names on both sides of oauth_", payout, "", List.of(new Pair("oauth", "1"), new Pair("oauti", "2"), new Pair("oauth-", "3"), new Pair("nzz", "4")), key, null, null));
    List<String> vectors = new ArrayList<>();
    for (Request request : requests) {
      vectors.add(vector("HMAC-SHA1", request));
      if (request.tokenSecret() == null) vectors.add(vector("RSA-SHA256", request));
    }
    System.out.println("[" + String.join(",\n", vectors) + "]");
  }
}
