package io.drayage.receive;

import io.drayage.files.FileRights;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.FrameStore;
import io.drayage.segment.Manifest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stages cargoes in the files of one folder, which belongs to this stage alone while it is open.
 *
 * <p>A cargo that is being received is a file ending in {@value #UNFINISHED}, deleted when its
 * shipment fails; what a crash left of such files is deleted when the stage is opened. A cargo that
 * is whole is on the disk, under its final name ending in {@value #FINISHED}, before anybody is
 * told, and belongs to the committer: one that it never acknowledged may be left by a crash, under
 * a name that starts with its transaction.
 */
public final class DiskStage implements CargoStage {
  static final String UNFINISHED = ".part";
  static final String FINISHED = ".cargo";
  private static final String LOCK_FILE = ".stage.lock";

  private final Path folder;
  private final long maxBytes;
  private final StagingFile.Opener opener;
  private final FileChannel lockFile;

  private DiskStage(Path folder, long maxBytes, StagingFile.Opener opener, FileChannel lockFile) {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.opener = opener;
    this.lockFile = lockFile;
  }

  /**
   * Opens a stage, and cleans up after a crash.
   *
   * @param folder made if it does not exist; the files are its owner's alone, or also its group's
   *     ({@link FileRights#like})
   * @param maxBytes the most raw bytes of all cargoes that may be staged at a time; a file may be
   *     twice as large as its cargo, if the worker's serializer makes it so
   * @throws IOException if the folder cannot be used, or another stage uses it
   */
  public static DiskStage open(Path folder, long maxBytes) throws IOException {
    return open(folder, maxBytes, StagingFile.channels(FileRights.like(folder)));
  }

  static DiskStage open(Path folder, long maxBytes, StagingFile.Opener opener) throws IOException {
    FileRights rights = FileRights.like(folder);
    rights.makeFolders(folder);
    FileChannel lockFile =
        rights.open(
            folder.resolve(LOCK_FILE), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    boolean opened = false;
    try {
      if (tryLock(lockFile) == null) {
        throw new FileSystemException(folder.toString(), null, "another stage uses this folder");
      }
      deleteUnfinished(folder);
      opened = true;
      return new DiskStage(folder, maxBytes, opener, lockFile);
    } finally {
      if (!opened) {
        lockFile.close();
      }
    }
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static void deleteUnfinished(Path folder) throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder, "*" + UNFINISHED)) {
      for (Path leftover : leftovers) {
        Files.deleteIfExists(leftover);
      }
    }
  }

  @Override
  public long maxBytes() {
    return maxBytes;
  }

  @Override
  public FrameStore begin(Manifest manifest) throws ShipmentException {
    // A transaction may be shipped more than once, even at a time.
    String name = manifest.transactionId() + "-" + UUID.randomUUID();
    Path unfinished = folder.resolve(name + UNFINISHED);
    try {
      return new StagingFile(
          opener, unfinished, folder.resolve(name + FINISHED), StagingFile.maxBytes(manifest));
    } catch (IOException e) {
      throw new ShipmentException(
          Fault.REFUSED, "the cargo cannot be staged: " + StagingFile.reason(e), e);
    }
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      // The lock goes with the process at the latest.
    }
  }
}
