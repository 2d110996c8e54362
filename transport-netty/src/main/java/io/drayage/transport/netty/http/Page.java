package io.drayage.transport.netty.http;

/**
 * What a {@link PageServer} answers.
 *
 * @param status HTTP's
 * @param contentType HTTP's
 */
public record Page(int status, String contentType, String body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Plain text. */
  public static Page text(int status, String body) {
    return new Page(status, TEXT, body);
  }
}
