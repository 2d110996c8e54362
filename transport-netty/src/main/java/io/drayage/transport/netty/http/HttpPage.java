package io.drayage.transport.netty.http;

/**
 * An answer of a {@link PageServer}.
 *
 * @param status of HTTP
 * @param contentType of HTTP
 */
public record HttpPage(int status, String contentType, String body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Returns a page of plain text. */
  public static HttpPage text(int status, String body) {
    return new HttpPage(status, TEXT, body);
  }
}
