package io.drayage.files;

import io.drayage.internal.Begun;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Permissions of a node's files: only for the owner, whatever the umask is, or also for the group
 * if the operator has asked for that. Others never get any. Without effect on a file system without
 * POSIX permissions. Immutable.
 */
public final class FileRights {
  private static final Set<PosixFilePermission> GROUP =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE);

  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private static final Set<PosixFilePermission> EXECUTE =
      EnumSet.of(PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE);

  /** Only for the owner: 0700 for folders, 0600 for files. */
  public static final FileRights PRIVATE = new FileRights(Set.of());

  private final Set<PosixFilePermission> ofFolders;
  private final Set<PosixFilePermission> ofFiles;
  private final boolean isShared;

  private FileRights(Set<PosixFilePermission> ofGroup) {
    ofFolders = EnumSet.copyOf(PosixFilePermissions.fromString("rwx------"));
    ofFolders.addAll(ofGroup);
    ofFiles = EnumSet.copyOf(ofFolders);
    ofFiles.removeAll(EXECUTE);
    isShared = !ofGroup.isEmpty();
  }

  /**
   * The rights that a folder asks for. If the folder admits its group but nobody else, such as with
   * mode 0750 or 2770, the group has the same rights to its files as to the folder. Any other
   * folder is private, even a folder that admits everybody, since that is the default mode.
   *
   * @param folder may be missing
   */
  public static FileRights like(Path folder) throws IOException {
    if (!isPosix(folder) || !Files.isDirectory(folder)) {
      return PRIVATE;
    }
    Set<PosixFilePermission> asked = Files.getPosixFilePermissions(folder);
    if (asked.stream().anyMatch(OTHERS::contains)) {
      return PRIVATE;
    }
    asked.retainAll(GROUP);
    return asked.isEmpty() ? PRIVATE : new FileRights(asked);
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Opens a file like {@link FileChannel#open}. A file that this creates gets these rights. */
  public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
    if (!isPosix(file)) {
      return FileChannel.open(file, options);
    }
    FileChannel opened = FileChannel.open(file, options, attribute(ofFiles));
    if (!isShared) {
      return opened;
    }
    try (Begun begun = new Begun(opened)) {
      apply(file, ofFiles);
      return begun.keep(opened);
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> attribute(
      Set<PosixFilePermission> rights) {
    return PosixFilePermissions.asFileAttribute(rights);
  }

  /** Restores the rights that the umask has removed. */
  private static void apply(Path path, Set<PosixFilePermission> rights) throws IOException {
    if (!Files.getPosixFilePermissions(path).containsAll(rights)) {
      Path unused = Files.setPosixFilePermissions(path, rights);
    }
  }

  /** Gives an existing file exactly these rights. */
  public void applyTo(Path file) throws IOException {
    if (isPosix(file) && !Files.getPosixFilePermissions(file).equals(ofFiles)) {
      Path unused = Files.setPosixFilePermissions(file, ofFiles);
    }
  }

  /** Makes a folder and its parents, unless they exist. */
  public void makeFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      makeFolders(parent);
    }
    try {
      if (isPosix(folder)) {
        Files.createDirectory(folder, attribute(ofFolders));
        if (isShared) {
          apply(folder, ofFolders);
        }
      } else {
        Files.createDirectory(folder);
      }
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }

  /** Makes the names in a folder survive a crash, if the system can open a folder. */
  public static void force(Path folder) throws IOException {
    if (isPosix(folder)) {
      try (FileChannel channel = FileChannel.open(folder)) {
        channel.force(true);
      }
    }
  }
}
