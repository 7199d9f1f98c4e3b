// Tetrad's FGES or BOSS with its Gaussian BIC on a table of numbers.
//
//   java -cp tetrad-lib-7.6.5-shaded.jar TetradSearch.java fges|boss TABLE.csv PENALTY THREADS OUT
//
// OUT.txt is the graph found, OUT.json the CPU seconds of score and search, without the start of Java and the reading.
// All else is Tetrad's default, except: BOSS has one start and no backward phase at its end.

import com.sun.management.OperatingSystemMXBean;
import edu.cmu.tetrad.data.BoxDataSet;
import edu.cmu.tetrad.data.ContinuousVariable;
import edu.cmu.tetrad.data.CovarianceMatrix;
import edu.cmu.tetrad.data.DataSet;
import edu.cmu.tetrad.data.VerticalDoubleDataBox;
import edu.cmu.tetrad.graph.Graph;
import edu.cmu.tetrad.graph.Node;
import edu.cmu.tetrad.search.Boss;
import edu.cmu.tetrad.search.Fges;
import edu.cmu.tetrad.search.PermutationSearch;
import edu.cmu.tetrad.search.score.SemBicScore;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class TetradSearch {
  public static void main(String[] words) throws Exception {
    DataSet data = read(Path.of(words[1]));
    double penalty = Double.parseDouble(words[2]);
    int threads = Integer.parseInt(words[3]);
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    SemBicScore score = new SemBicScore(new CovarianceMatrix(data));
    score.setPenaltyDiscount(penalty);
    Graph found = words[0].equals("fges") ? fges(score, threads) : boss(score, threads);
    double seconds = (system.getProcessCpuTime() - before) * 1e-9;
    Files.writeString(Path.of(words[4] + ".txt"), found.toString());
    Files.writeString(Path.of(words[4] + ".json"), "{\"seconds\": " + seconds + "}\n");
    System.exit(0); // Tetrad keeps threads waiting
  }

  static Graph fges(SemBicScore score, int threads) {
    Fges fges = new Fges(score);
    fges.setNumThreads(threads);
    return fges.search();
  }

  static Graph boss(SemBicScore score, int threads) throws Exception {
    Boss boss = new Boss(score);
    boss.setNumStarts(1);
    boss.setNumThreads(threads);
    boss.setUseBes(false);
    PermutationSearch search = new PermutationSearch(boss);
    search.setSeed(1);
    return search.search();
  }

  static DataSet read(Path file) throws Exception {
    List<Node> variables = new ArrayList<>();
    List<double[]> rows = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String name : in.readLine().split(",")) variables.add(new ContinuousVariable(name));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] cells = line.split(",");
        double[] row = new double[cells.length];
        for (int column = 0; column < row.length; ++column) row[column] = Double.parseDouble(cells[column]);
        rows.add(row);
      }
    }
    double[][] columns = new double[variables.size()][rows.size()];
    for (int row = 0; row < rows.size(); ++row) {
      for (int column = 0; column < columns.length; ++column) columns[column][row] = rows.get(row)[column];
    }
    return new BoxDataSet(new VerticalDoubleDataBox(columns), variables);
  }
}
