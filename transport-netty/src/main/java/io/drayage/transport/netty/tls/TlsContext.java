package io.drayage.transport.netty.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with its key and the trusted authorities, read again when one of the files has
 * changed. Thread-safe.
 *
 * <p>Each connection checks the times and sizes of the files, in a few microseconds, so that no
 * thread has to watch them. Only a connection that finds a change reads the files. If the files
 * cannot be used, the former ones stay in use, and this is logged once for each change: files that
 * belong together may be replaced one after the other.
 */
final class TlsContext {
  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(TlsContext.class);

  private final List<Path> files;
  private final Supplier<SslContext> read;

  // Guarded by this:
  private List<Version> versions;
  private SslContext context;

  /** The state of a file when it was read; without a time if the file was missing. */
  private record Version(@Nullable FileTime time, long bytes, @Nullable Object fileKey) {
    static Version of(Path file) {
      try {
        BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
        return new Version(is.lastModifiedTime(), is.size(), is.fileKey());
      } catch (IOException e) {
        return new Version(null, 0, null);
      }
    }
  }

  /**
   * @param read reads the files; throws {@link IllegalArgumentException}, naming the file, if it
   *     cannot be used
   */
  TlsContext(List<Path> files, Supplier<SslContext> read) {
    this.files = files;
    this.read = read;
    // Reads the versions first, so that a file that changes while it is read is read again.
    this.versions = versions();
    this.context = read.get();
  }

  /** Returns the context of a new connection. */
  synchronized SslContext current() {
    List<Version> now = versions();
    if (!now.equals(versions)) {
      versions = now;
      try {
        context = read.get();
        LOG.info("read {} again: new connections use it", files);
      } catch (IllegalArgumentException e) {
        LOG.warn("TLS keeps the files that were read before: {}", e.getMessage());
      }
    }
    return context;
  }

  private List<Version> versions() {
    List<Version> all = new ArrayList<>();
    files.forEach(file -> all.add(Version.of(file)));
    return all;
  }
}
