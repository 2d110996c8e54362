package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of an S3 server that spoils the answers to one operation, as often as a test
 * wants. One request per connection.
 */
final class FlakyS3 implements AutoCloseable {
  private static final String HEAD_END = "\r\n\r\n";

  /** The operation of a request. */
  enum Operation {
    PUT,
    BEGIN_PARTS,
    PUT_PART,
    COMPLETE,
    ABORT,
    READ,
    SIZE,
    LIST,
    LIST_UPLOADS,
    DELETE,
    BUCKET;

    static Operation of(String request) {
      String method = request.substring(0, request.indexOf(' '));
      String target =
          request.substring(method.length() + 1, request.indexOf(' ', method.length() + 1));
      boolean ofUpload = target.contains("uploadId=");
      boolean ofObject = target.split("\\?", 2)[0].indexOf('/', 1) > 0;
      return switch (method) {
        case "PUT" -> ofUpload ? PUT_PART : PUT;
        case "POST" -> ofUpload ? COMPLETE : BEGIN_PARTS;
        case "DELETE" -> ofUpload ? ABORT : DELETE;
        case "HEAD" -> ofObject ? SIZE : BUCKET;
        default ->
            target.contains("list-type=2")
                ? LIST
                : target.contains("uploads") && !ofObject ? LIST_UPLOADS : READ;
      };
    }
  }

  /** The fault of an answer. */
  enum Fault {
    CONFLICT("409 Conflict", "ConditionalRequestConflict", false),
    TOO_MANY("429 Too Many Requests", "TooManyRequests", false),
    INTERNAL("500 Internal Server Error", "InternalError", false),
    SLOW_DOWN("503 Slow Down", "SlowDown", false),
    TIMEOUT("400 Bad Request", "RequestTimeout", false),
    /** The operation was done, but the answer reports an error. */
    INTERNAL_AFTER("500 Internal Server Error", "InternalError", true),
    SLOW_DOWN_AFTER("503 Slow Down", "SlowDown", true),
    /** S3 sends the status of a long operation before it ends. */
    ERROR_WITH_OK("200 OK", "InternalError", false),
    CLOSE(null, "", false),
    CLOSE_AFTER(null, "", true),
    /** The answer without its body. */
    NO_BODY(null, "", true),
    /** The answer with the first half of its body. */
    HALF_BODY(null, "", true);

    private final @Nullable String status;
    private final String code;
    private final boolean forwards;

    Fault(@Nullable String status, String code, boolean forwards) {
      this.status = status;
      this.code = code;
      this.forwards = forwards;
    }

    /** Returns the answer that a client gets; null for none. */
    private byte @Nullable [] spoil(byte[] answer, String method) {
      int head = indexOf(answer, HEAD_END) + HEAD_END.length();
      if (this == NO_BODY) {
        return Arrays.copyOf(answer, head);
      }
      if (this == HALF_BODY) {
        return Arrays.copyOf(answer, head + (answer.length - head) / 2);
      }
      if (status == null) {
        return null;
      }
      String body =
          method.equals("HEAD")
              ? ""
              : "<Error><Code>%s</Code><Message>as a test says</Message></Error>".formatted(code);
      return format(
              "HTTP/1.1 %s\r\nContent-Type: application/xml\r\nContent-Length: %d\r\nConnection: close%s%s",
              status, body.length(), HEAD_END, body)
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static final Pattern SIGNED = Pattern.compile("(?i)\nx-amz-date: *([0-9TZ]+)");
  private static final DateTimeFormatter SIGNED_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ServerSocket server;
  private final URI behind;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger requests = new AtomicInteger();
  private @Nullable Operation operation;
  private Fault fault = Fault.CLOSE;
  private int times;
  private volatile Duration ahead = Duration.ZERO;

  FlakyS3(URI behind) throws IOException {
    this.behind = behind;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** Spoils the next answers to an operation. */
  synchronized void spoil(Operation which, Fault how, int count) {
    operation = which;
    fault = how;
    times = count;
    requests.set(0);
  }

  /** Sets the server's clock ahead of ours. Requests signed for another time are refused. */
  void setClock(Duration newAhead) {
    ahead = newAhead;
  }

  /** Returns the refusal of a request signed for another time; null if its time is right. */
  private byte @Nullable [] refuse(String head) {
    Instant now = Instant.now().plus(ahead);
    Matcher signed = SIGNED.matcher(head);
    if (ahead.isZero()
        || !signed.find()
        || Duration.between(SIGNED_TIME.parse(signed.group(1), Instant::from), now)
                .abs()
                .compareTo(ahead.dividedBy(2))
            < 0) {
      return null;
    }
    return format(
            "HTTP/1.1 403 Forbidden\r\nDate: %s\r\nContent-Length: 0\r\nConnection: close%s",
            DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC).format(now), HEAD_END)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The number of requests of the operation since then. */
  int requests() {
    return requests.get();
  }

  private synchronized @Nullable Fault next(Operation asked) {
    if (asked != operation) {
      return null;
    }
    requests.incrementAndGet();
    return times-- > 0 ? fault : null;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void serve(Socket client) {
    try (client) {
      byte[] request = request(client);
      String head = new String(request, StandardCharsets.ISO_8859_1);
      byte[] sent = refuse(head);
      if (sent == null) {
        Fault how = next(Operation.of(head));
        byte[] answer = how == null || how.forwards ? forward(request) : new byte[0];
        sent = how == null ? answer : how.spoil(answer, head.substring(0, head.indexOf(' ')));
      }
      if (sent != null) {
        client.getOutputStream().write(sent);
      }
    } catch (IOException e) {
      // The client has gone, as it does when it is closed.
    }
  }

  /** Reads a request. The client sends the body after it is asked to continue. */
  private static byte[] request(Socket client) throws IOException {
    InputStream in = client.getInputStream();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < HEAD_END.length()) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      read.write(next);
      matched = next == HEAD_END.charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
    }
    String head = read.toString(StandardCharsets.ISO_8859_1);
    StringBuilder kept = new StringBuilder();
    int bodyBytes = 0;
    for (String line : head.split("\r\n", -1)) {
      String name = line.split(":", 2)[0].toLowerCase(Locale.ROOT);
      if (name.equals("expect")) {
        client
            .getOutputStream()
            .write(("HTTP/1.1 100 Continue" + HEAD_END).getBytes(StandardCharsets.US_ASCII));
      } else if (!name.equals("connection") && !line.isEmpty()) {
        kept.append(line).append("\r\n");
      }
      if (name.equals("content-length")) {
        bodyBytes = Integer.parseInt(line.substring(name.length() + 1).strip());
      }
    }
    kept.append("Connection: close").append(HEAD_END);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(kept.toString().getBytes(StandardCharsets.ISO_8859_1));
    byte[] body = in.readNBytes(bodyBytes);
    if (body.length < bodyBytes) {
      throw new EOFException();
    }
    request.writeBytes(body);
    return request.toByteArray();
  }

  private byte[] forward(byte[] request) throws IOException {
    try (Socket socket = new Socket(behind.getHost(), behind.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
      return socket.getInputStream().readAllBytes();
    }
  }

  private static int indexOf(byte[] bytes, String text) {
    return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
