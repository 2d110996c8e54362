package io.drayage.study.sikdar;

import io.drayage.bench.child.StudySettings;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.ObjectKind;
import io.drayage.study.sikdar.form.PageFormat;
import io.drayage.study.sikdar.form.Rows;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Sends objects. A connection requests objects of a kind in a format, gets them page by page, and
 * ends. One thread for each connection.
 */
final class ObjectServer implements AutoCloseable {
  private static final int BACKLOG = 50;

  private final Map<ObjectKind, List<?>> objects;
  private final ServerSocket socket;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  ObjectServer(InetAddress address, Map<ObjectKind, List<?>> objects) throws IOException {
    this.objects = objects;
    this.socket = new ServerSocket(0, BACKLOG, address);
    threads.execute(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /** Serves at an address until standard input ends; prints the port. */
  public static void main(String[] arguments) throws IOException {
    InetAddress address = InetAddress.getByName(arguments[0]);
    try (ObjectServer server =
        new ObjectServer(address, Rows.distinct(Boolean.parseBoolean(arguments[1])))) {
      System.out.println(server.address().getPort());
      System.in.readAllBytes();
    }
    System.exit(0);
  }

  /** A server in a separate process, started as the settings say. */
  static final class Child implements AutoCloseable {
    private final Process process;
    private final InetSocketAddress address;

    private Child(Process process, InetSocketAddress address) {
      this.process = process;
      this.address = address;
    }

    static Child start(StudySettings settings) throws IOException {
      StudySettings.Servers where = settings.servers();
      List<String> command = new ArrayList<>(where.prefix());
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(ObjectServer.class.getName());
      command.addAll(List.of(where.address(), Boolean.toString(settings.isFull())));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String port = process.inputReader().readLine();
      if (port == null) {
        throw new IOException("the server of objects did not start");
      }
      return new Child(process, new InetSocketAddress(where.address(), Integer.parseInt(port)));
    }

    InetSocketAddress address() {
      return address;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        threads.execute(() -> serve(connection));
      }
    } catch (IOException e) {
      // The socket is closed.
    }
  }

  private void serve(Socket connection) {
    try (connection;
        DataInputStream in = new DataInputStream(connection.getInputStream());
        DataOutputStream out = new DataOutputStream(connection.getOutputStream())) {
      PageFormat format = Formats.ofName(in.readUTF());
      ObjectKind kind = ObjectKind.valueOf(in.readUTF());
      int first = in.readInt();
      int end = in.readInt();
      SikdarWorkload load = new SikdarWorkload(kind, objects.get(kind), end);
      try (PageFormat.PageWriter writer =
          format.writer(kind, (page, entries) -> writePage(out, page))) {
        for (int i = first; i < end; i++) {
          writer.add(format.entryOf(kind, load.object(i)));
        }
      }
    } catch (Exception e) {
      // The client detects missing objects.
      System.err.println(e);
    }
  }

  /** Returns the pages of the objects from {@code first} to {@code end}. */
  static List<byte[]> pages(
      InetSocketAddress server, String format, ObjectKind kind, int first, int end)
      throws IOException {
    try (Socket socket = new Socket(server.getAddress(), server.getPort());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
      out.writeUTF(format);
      out.writeUTF(kind.name());
      out.writeInt(first);
      out.writeInt(end);
      return readPages(new DataInputStream(socket.getInputStream()));
    }
  }

  /** Writes a page after its length. */
  static void writePage(DataOutputStream out, ByteBuffer page) throws IOException {
    byte[] bytes = new byte[page.remaining()];
    page.get(bytes);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads all pages until the stream ends. */
  static List<byte[]> readPages(DataInputStream in) throws IOException {
    List<byte[]> pages = new ArrayList<>();
    byte[] length = in.readNBytes(Integer.BYTES);
    while (length.length == Integer.BYTES) {
      byte[] page = new byte[ByteBuffer.wrap(length).getInt()];
      in.readFully(page);
      pages.add(page);
      length = in.readNBytes(Integer.BYTES);
    }
    return pages;
  }

  @Override
  public void close() throws IOException {
    socket.close();
    threads.shutdownNow();
  }
}
