package io.drayage.transport.netty.http;

/**
 * An answer of a {@link PageServer}.
 *
 * @param status of HTTP
 * @param contentType of HTTP
 * @param policy the Content-Security-Policy: the things that a browser may load for the page
 */
public record HttpPage(int status, String contentType, String body, String policy) {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'";

  /** A page for which a browser may load nothing. */
  public HttpPage(int status, String contentType, String body) {
    this(status, contentType, body, NOTHING);
  }

  /** Returns a page of plain text. */
  public static HttpPage text(int status, String body) {
    return new HttpPage(status, TEXT, body);
  }
}
