package io.drayage.codec;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.UUID;

/**
 * Writes files that appear only when they are complete: first into a file of another name beside
 * it, which is renamed at the end, and deleted on failure. Only a regular file is ever replaced. If
 * the path is a link to a regular file, that file is replaced, and the link stays.
 */
public final class WholeFile {
  private static final int FILE_TYPE = 0170000;
  private static final int PIPE = 0010000;

  private WholeFile() {}

  /** Writes a file. */
  @FunctionalInterface
  public interface Writing {
    /**
     * Writes the content.
     *
     * @param unfinished does not exist yet; it becomes the file
     */
    void to(Path unfinished) throws IOException;
  }

  /** Writes the content of a file to a stream. */
  @FunctionalInterface
  public interface Streaming {
    /** Writes the content. The stream is closed afterwards. */
    void to(OutputStream out) throws IOException;
  }

  /**
   * Writes {@code file}.
   *
   * @throws FileSystemException if the path exists and is no regular file (the message has it), or
   *     if its folder does not exist
   */
  public static void write(Path file, Writing writing) throws IOException {
    Path target = target(file);
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new NoSuchFileException(String.valueOf(folder));
    }
    // A name that no other file has.
    Path unfinished = folder.resolve(".drayage-" + UUID.randomUUID() + ".part");
    try {
      writing.to(unfinished);
      keepPermissions(target, unfinished);
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView there = Files.getFileAttributeView(from, PosixFileAttributeView.class);
    if (there != null && Files.exists(from)) {
      Files.setPosixFilePermissions(to, there.readAttributes().permissions());
    }
  }

  /**
   * Writes {@code file}. Writes directly to an existing device or open pipe, such as /dev/stdout,
   * and to a file in a folder that is not writable.
   *
   * @throws FileSystemException if the path {@link #isNamedPipe}, if it cannot be written to, or as
   *     {@link #write}
   */
  public static void stream(Path file, Streaming streaming) throws IOException {
    if (isNamedPipe(file)) {
      throw new FileSystemException(
          file.toString(), null, "is a pipe, which may have no reader: name a file");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (isDevice(file)) {
      try (OutputStream out = named(file, Files.newOutputStream(file, StandardOpenOption.APPEND))) {
        streaming.to(out);
      }
    } else if (Files.isRegularFile(file) && folder != null && !Files.isWritable(folder)) {
      try (OutputStream out = named(file, Files.newOutputStream(file))) {
        streaming.to(out);
      }
    } else {
      write(
          file,
          unfinished -> {
            try (OutputStream out =
                named(
                    file,
                    Files.newOutputStream(
                        unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
              streaming.to(out);
            }
          });
    }
  }

  /** Adds the file's name to errors: the system's message of a full disk has none. */
  private static OutputStream named(Path file, OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
          out.write(bytes, offset, length);
        } catch (IOException e) {
          throw named(file, e);
        }
      }
    };
  }

  /** Returns a failure to write a file, with the file's name. */
  static FileSystemException named(Path file, IOException failure) {
    if (failure instanceof FileSystemException hasName) {
      return hasName;
    }
    FileSystemException named =
        new FileSystemException(file.toString(), null, failure.getMessage());
    named.initCause(failure);
    return named;
  }

  private static boolean isDevice(Path file) {
    return Files.exists(file)
        && !Files.isDirectory(file)
        && (isOpen(file) || !Files.isRegularFile(file));
  }

  /** Whether others hold the file open, as for the target of /dev/stdout, even if it is a file. */
  private static boolean isOpen(Path file) {
    return Files.isSymbolicLink(file)
        && (file.toAbsolutePath().startsWith("/dev") || file.toAbsolutePath().startsWith("/proc"));
  }

  /**
   * Whether the path is a named pipe, made by mkfifo. Opening one waits for its other end. The pipe
   * behind /dev/stdout does not count, since it is open already.
   */
  public static boolean isNamedPipe(Path file) {
    try {
      return !isOpen(file)
          && Files.exists(file)
          && ((Integer) Files.getAttribute(file, "unix:mode") & FILE_TYPE) == PIPE;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // The system has no such modes.
    }
  }

  /**
   * Checks in advance that {@link #write} can write {@code file}.
   *
   * @throws FileSystemException as {@link #write}
   */
  public static void requireReplaceable(Path file) throws IOException {
    target(file);
  }

  private static Path target(Path file) throws IOException {
    if (isDevice(file)) {
      throw new FileSystemException(
          file.toString(), null, "is a device or a pipe: only a regular file is replaced");
    }
    if (Files.isRegularFile(file)) {
      return file.toRealPath();
    }
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a folder: name a file");
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(
          file.toString(), null, "is a link to a missing file: name that file, or remove the link");
    }
    return file;
  }
}
