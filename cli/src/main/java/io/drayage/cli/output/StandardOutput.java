package io.drayage.cli.output;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * The standard output of the process, in UTF-8 with any locale. A failed write throws. {@link
 * System#out} would hide the failure, and a command whose result is lost would succeed.
 * Thread-safe.
 */
public final class StandardOutput {
  private static final int BUFFER_CHARS = 8192;

  private StandardOutput() {}

  /**
   * Returns a stream for bytes. Each failed write throws an {@link OutputException}. The stream is
   * not buffered and must not be closed.
   */
  public static OutputStream stream() {
    return checked(new FileOutputStream(FileDescriptor.out));
  }

  /**
   * Returns a writer for text. It flushes each line. A failure throws an {@link
   * UncheckedIOException} with an {@link OutputException} as its cause.
   */
  public static PrintWriter writer() {
    return writer(stream());
  }

  /** Returns such a writer for another stream. */
  public static PrintWriter writer(OutputStream out) {
    Writer text =
        new BufferedWriter(
            new OutputStreamWriter(checked(out), StandardCharsets.UTF_8), BUFFER_CHARS);
    return new PrintWriter(new Loud(text), true);
  }

  private static OutputStream checked(OutputStream out) {
    return out instanceof Checked ? out : new Checked(out);
  }

  private static final class Checked extends OutputStream {
    private final OutputStream out;

    Checked(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw OutputException.of(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException e) {
        throw OutputException.of(e);
      }
    }
  }

  /** Throws unchecked exceptions, because a print writer swallows an {@link IOException}. */
  private static final class Loud extends Writer {
    private final Writer out;

    Loud(Writer out) {
      this.out = out;
    }

    @Override
    public void write(char[] text, int offset, int length) {
      try {
        out.write(text, offset, length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void flush() {
      try {
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      flush();
    }
  }
}
