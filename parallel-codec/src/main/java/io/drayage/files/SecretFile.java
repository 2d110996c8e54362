package io.drayage.files;

import static io.drayage.internal.Texts.format;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files with passwords and keys, which a node uses only if others cannot read them. */
public final class SecretFile {
  /**
   * The folder in which Docker mounts the secrets of a container, with their modes on the host. A
   * container has no other users.
   */
  private static final Path OF_CONTAINER = Path.of("/run/secrets");

  private SecretFile() {}

  /**
   * Refuses a file that others may read or write, or that its group may write. The group may read
   * the file, because Kubernetes mounts a Secret in this way. Links are followed. On a file system
   * without POSIX permissions, every file is accepted.
   *
   * @throws FileSystemException that names the file, its mode, and the remedy
   */
  public static void requirePrivate(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
    boolean isRead =
        mode.contains(PosixFilePermission.OTHERS_READ)
            && !file.toAbsolutePath().normalize().startsWith(OF_CONTAINER);
    boolean isWritten =
        mode.contains(PosixFilePermission.OTHERS_WRITE)
            || mode.contains(PosixFilePermission.GROUP_WRITE);
    if (isRead || isWritten) {
      throw new FileSystemException(
          file.toString(),
          null,
          format(
              "others can %s this secret, its mode is %04o (%s): chmod 600 %s (in Kubernetes: defaultMode 0440)",
              isRead ? "read" : "write", bits(mode), PosixFilePermissions.toString(mode), file));
    }
  }

  private static int bits(Set<PosixFilePermission> mode) {
    int bits = 0;
    for (PosixFilePermission each : PosixFilePermission.values()) {
      bits = 2 * bits + (mode.contains(each) ? 1 : 0);
    }
    return bits;
  }
}
