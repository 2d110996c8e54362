package io.drayage.objectstore;

import io.drayage.files.FileRights;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Large files of deleted objects, to be written over by later objects. They have disk blocks, and
 * mostly pages in memory, which a new file would have to allocate. Several processes may use a
 * folder; a file is taken by a rename, which one of them wins. A file is written over only after
 * the name of its object is gone, so that readers can tell ({@link FolderStore#read}). Thread-safe.
 */
final class SpareFiles {
  static final String FOLDER = ".spares";

  /** Smaller files are not worth it. */
  static final long MIN_BYTES = 1 << 20;

  /** The most bytes to keep, if the disk has eight times as many free. */
  private static final long MAX_BYTES = 4L << 30;

  private static final int FREE_FACTOR = 8;

  private final Path folder;
  private final FileRights rights;

  SpareFiles(Path root, FileRights rights) {
    this.folder = root.resolve(FOLDER);
    this.rights = rights;
  }

  /** A file with the length that it had when it was looked at. */
  private record Spare(Path file, long bytes, FileTime modified) {}

  /**
   * Keeps the file of an object that is to be deleted, under another name. Not one that has another
   * link: its content would change there, too.
   *
   * @return whether it was kept, or is not there
   */
  boolean keep(Path file) throws IOException {
    try {
      long bytes = Files.size(file);
      if (bytes < MIN_BYTES || !hasOneName(file) || !hasRoomFor(bytes)) {
        return false;
      }
      rights.makeFolders(folder);
      Files.move(
          file, folder.resolve(UUID.randomUUID().toString()), StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  private static boolean hasOneName(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:nlink") instanceof Integer links && links == 1;
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  private boolean hasRoomFor(long bytes) throws IOException {
    long keptBytes = bytes;
    for (Spare spare : all()) {
      keptBytes += spare.bytes();
    }
    long freeBytes = Files.getFileStore(folder.resolveSibling(".")).getUsableSpace();
    return keptBytes <= Math.min(MAX_BYTES, freeBytes / FREE_FACTOR);
  }

  private List<Spare> all() throws IOException {
    List<Spare> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          found.add(new Spare(file, Files.size(file), Files.getLastModifiedTime(file)));
        } catch (NoSuchFileException e) {
          // Another process has taken it.
        }
      }
    }
    return found;
  }

  /**
   * Gives the spare file that was written last this name.
   *
   * @return whether there was one
   */
  boolean take(Path file) throws IOException {
    List<Spare> spares = all();
    spares.sort(Comparator.comparing(Spare::modified).reversed());
    for (Spare spare : spares) {
      try {
        Files.move(spare.file(), file, StandardCopyOption.ATOMIC_MOVE);
        rights.applyTo(file);
        return true;
      } catch (NoSuchFileException e) {
        // Another process was first.
      }
    }
    return false;
  }
}
