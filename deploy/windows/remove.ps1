# Takes the service and the scheduled task away. Data, backups and logs stay: delete C:\ProgramData\TPWebServices yourself. Run as Administrator.
# Not run: there was neither Windows nor PowerShell to try it.
param(
  [string]$Data = 'C:\ProgramData\TPWebServices'
)
$ErrorActionPreference = 'Stop'

Stop-Service tpwebservices -ErrorAction SilentlyContinue
& "$Data\service\tpwebservices.exe" uninstall
if ($LASTEXITCODE -ne 0) { throw "WinSW ended with $LASTEXITCODE" }
Unregister-ScheduledTask -TaskName 'TPWebServices backup' -Confirm:$false
