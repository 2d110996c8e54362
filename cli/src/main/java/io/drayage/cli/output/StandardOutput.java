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
 * The standard output of the process, in UTF-8 whatever the locale is. What cannot be written
 * throws: {@link System#out} and its like keep that to themselves, and a command whose result is
 * lost would succeed. Thread-safe.
 */
public final class StandardOutput {
  private static final int BUFFER_CHARS = 8192;

  private StandardOutput() {}

  /** For bytes: each write fails by an {@link OutputException}. Not buffered; not to be closed. */
  public static OutputStream stream() {
    return checked(new FileOutputStream(FileDescriptor.out));
  }

  /**
   * For text: each line is flushed, and what fails throws an {@link UncheckedIOException} whose
   * cause is an {@link OutputException}.
   */
  public static PrintWriter writer() {
    return writer(stream());
  }

  /** The same over another stream. */
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

  /** A print writer swallows an {@link IOException}, and nothing else. */
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
