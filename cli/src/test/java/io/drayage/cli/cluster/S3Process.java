package io.drayage.cli.cluster;

import io.drayage.objectstore.S3Server;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.stream.Stream;

/** The main class of an S3 server. Arguments: folder, HOST:PORT. It prints its address. */
final class S3Process {
  private S3Process() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    deleteUnfinished(Files.createDirectories(folder));
    System.out.println("S3 at " + S3Server.start(folder, args[1]).endpoint());
  }

  /**
   * Deletes unfinished files of a killed server, which it would list as objects. It writes the
   * attributes of a file last.
   */
  private static void deleteUnfinished(Path folder) throws IOException {
    FileStore disk = Files.getFileStore(folder);
    if (!disk.supportsFileAttributeView(UserDefinedFileAttributeView.class)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      if (Files.getFileAttributeView(file, UserDefinedFileAttributeView.class).list().isEmpty()) {
        Files.delete(file);
      }
    }
  }
}
