package io.drayage.bench.system;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The worker's end of a system: its sender, with the codec threads that belong to it. */
final class SystemSender implements CargoSender {
  private final CargoSender sender;
  private final @Nullable CodecPool pool;

  SystemSender(CargoSender sender, @Nullable CodecPool pool) {
    this.sender = sender;
    this.pool = pool;
  }

  @Override
  public SendReport send(ChangeCargo cargo, SendOptions options)
      throws ShipmentException, InterruptedException {
    return sender.send(cargo, options);
  }

  @Override
  public TransactionAnswer ask(TransactionRequest request, Duration patience)
      throws ShipmentException, InterruptedException {
    return sender.ask(request, patience);
  }

  @Override
  public DrayageMetrics metrics() {
    return sender.metrics();
  }

  @Override
  public void close() {
    sender.close();
    if (pool != null) {
      pool.close();
    }
  }
}
